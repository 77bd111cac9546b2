"""What was found in IANA's templates and seen to be true.

Of each template: how many rules it has, and every finding by its code and line.
"""

_TABLE = """
3gpp2 11 bracket:50 dot-segment:50 empty-segment:50 not-utf8:52 encoded-needlessly:52
c2pa 12 rule-name:56 not-a-urn:73 not-ascii:73 empty-segment:73 dot-segment:73 not-utf8:73
  encoded-needlessly:73 untried:83
cdx 6 undefined:53 other-source:49 unused:54
csa 0
dev 23
etsi 0
gdr 2
gvat 5 dash:42
isni 4
issn 2 case:190
itu 0 placeholder:79 placeholder:83
lei 0
meta 5 example:483 empty-segment:203 dot-segment:203 not-utf8:203 encoded-needlessly:203
mrn 5 indent:59 comment-wrapped:63 not-utf8:70 encoded-needlessly:70 dot-segment:70
  empty-segment:70
nbn 0
nfi 5 unquoted:77 example:87 example:88 example:89 example:90 not-utf8:80 encoded-needlessly:80
onem2m 0
onf 0
pno 0
said 5 in-words:51 in-words:53 unused:56
stalwart 0
thread 4 dot-segment:54 not-utf8:54 encoded-needlessly:54 empty-segment:54
trivore 2 brackets:36 in-words:36
uic 0
wfa 0
wmo 0 placeholder:37
urn-1 0
urn-4 6 brackets:13 equals:13 option:15 alternative:16
urn-5 5 example:52 untried:122
urn-7 5 not-a-urn:24
"""
_ROWS = [line.split() for line in _TABLE.replace("\n  ", " ").strip().split("\n")]
FOUND = {nid: (int(rules), set(found)) for nid, rules, *found in _ROWS}
