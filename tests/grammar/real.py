"""What was found in IANA's templates and seen to be true.

Of each template: how many rules it has, and every finding by its code and line.
"""

_TABLE = """
3gpp2 11 bracket:50 fragile-names:50
c2pa 12 rule-name:56 not-a-urn:73 not-ascii:73 fragile-names:73 untried:83
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
meta 5 example:483 fragile-names:203
mrn 5 indent:59 comment-wrapped:63 fragile-names:70
nbn 0
nfi 5 unquoted:77 example:87 example:88 example:89 example:90 fragile-names:80
onem2m 0
onf 0
pno 0
said 5 in-words:51 in-words:53 unused:56
stalwart 0
thread 4 fragile-names:54
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
