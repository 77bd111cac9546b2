"""The findings of the lint in real templates, by code and line; each was checked by hand.

Templates of RFC 2611 and 3406 have no section for security and interoperability, and most have
only a scope as their purpose. RFC 8141 asks for all three, so these findings are true.
"""

_TABLE = """
3gpp2 name-form:1 grammar-bracket:50 grammar-fragile-names:50
c2pa grammar-rule-name:56 grammar-not-a-urn:73 grammar-not-a-urn:73 grammar-not-ascii:73
  grammar-fragile-names:73 grammar-untried:83
cdx missing:resolution grammar-other-source:49 grammar-undefined:53 grammar-unused:54
csa
dev name-form:1
etsi
gdr
gvat version-form:3 grammar-dash:42
isni version-form:5
issn name-form:5 version-form:7 grammar-case:190
itu name-form:1 grammar-placeholder:79 grammar-placeholder:83
lei form-sentence:24
meta grammar-fragile-names:203 grammar-example:483
mrn missing:revision_information name-form:1 grammar-indent:59 grammar-comment-wrapped:63
  grammar-fragile-names:70
nbn without-heading:2
nfi grammar-unquoted:77 grammar-fragile-names:80 grammar-example:87 grammar-example:88
  grammar-example:89 grammar-example:90
onem2m order:81
onf name-form:1
pno
said grammar-in-words:51 grammar-in-words:53 grammar-unused:56
stalwart
thread common_word:3 grammar-fragile-names:54
trivore grammar-brackets:36 grammar-in-words:36 too-little:75
uic
wfa missing:documentation
wmo grammar-placeholder:37
urn-1 missing:security_and_privacy missing:interoperability informal-name:2 date-form:4
  without-heading:78 without-heading:80
urn-4 informal-name:1 missing:security_and_privacy missing:interoperability date-form:4
  grammar-brackets:13 grammar-equals:13 grammar-option:15 grammar-alternative:16 too-little:54
  without-heading:57 without-heading:59
urn-5 missing:security_and_privacy missing:interoperability grammar-example:52
  grammar-untried:122 too-little:129 without-heading:165 without-heading:167
urn-7 informal-name:1 missing:security_and_privacy missing:interoperability grammar-not-a-urn:24
  too-little:6 without-heading:73
rfc2648/ietf missing:security_and_privacy missing:interoperability name-form:1 too-little:125
  personal-address:10
rfc3061/oid missing:security_and_privacy missing:interoperability uri_scheme:1 name-form:1
  too-little:90
rfc3120/xmlorg missing:security_and_privacy missing:interoperability
  missing:revision_information name-form:1 too-little:87
rfc3151/publicid missing:security_and_privacy missing:interoperability name-form:1
  personal-address:10
  too-little:136
rfc3613/mace missing:security_and_privacy missing:interoperability name-form:1 personal-address:11
  grammar-not-a-urn:44 grammar-not-a-urn:44 grammar-not-a-urn:56 grammar-not-a-urn:56
  grammar-not-a-urn:56 grammar-not-a-urn:56 grammar-untried:56 grammar-fragile-names:56
  too-little:153
rfc3615/swift missing:security_and_privacy missing:interoperability name-form:1
rfc3622/liberty missing:security_and_privacy missing:interoperability name-form:1
  grammar-not-a-urn:38 grammar-not-a-urn:38 grammar-untried:41 grammar-not-a-urn:44
  grammar-not-a-urn:44 grammar-not-a-urn:44 grammar-not-a-urn:44 grammar-fragile-names:44
  too-little:104
rfc4152/clei missing:security_and_privacy missing:interoperability name-form:1 too-little:85
rfc4195/tva missing:security_and_privacy missing:interoperability name-form:1 date-form:5
  personal-address:10
  too-little:88
rfc4246/isan missing:security_and_privacy missing:interoperability date-form:5 too-little:83
rfc4358/oma missing:security_and_privacy missing:interoperability name-form:1 too-little:98
  personal-address:10
rfc4688/s1000d missing:security_and_privacy missing:interoperability personal-address:10
  missing:revision_information name-form:1 date-form:5 too-little:145
rfc4854/xmpp missing:security_and_privacy missing:interoperability uri_scheme:1 name-form:1
  too-little:125
rfc5031/service missing:security_and_privacy missing:interoperability uri_scheme:1 common_word:1
  personal-address:9
rfc5134/epc missing:security_and_privacy missing:interoperability name-form:1 personal-address:10
  grammar-in-words:33 grammar-unused:44 too-little:116
rfc5134/epcglobal missing:security_and_privacy missing:interoperability name-form:1
  personal-address:10
  grammar-in-words:34 too-little:93
rfc5141/iso missing:security_and_privacy missing:interoperability missing:revision_information
  personal-address:10
  name-form:1 version-form:5 grammar-untried:247 grammar-in-words:358 grammar-in-words:360
  too-little:614
rfc5174/ebu missing:security_and_privacy missing:interoperability name-form:1 too-little:96
  personal-address:10
rfc5328/dvb missing:security_and_privacy missing:interoperability uri_scheme:1 name-form:1
  personal-address:10
  too-little:86
rfc6061/nena missing:security_and_privacy missing:interoperability too-little:103
rfc6289/cablelabs missing:security_and_privacy missing:interoperability too-little:81
rfc6453/ogf missing:security_and_privacy missing:interoperability name-form:1 date-form:5
  grammar-in-words:51 grammar-defined-twice:136
rfc6893/oipf missing:security_and_privacy missing:interoperability name-form:1 too-little:80
rfc7207/eurosystem missing:security_and_privacy missing:interoperability order:45 order:49
  personal-address:13
rfc7467/nato missing:security_and_privacy missing:interoperability name-form:1 personal-address:10
  grammar-brackets:25 grammar-equals:25 grammar-alternative:27 grammar-rule-name:36
  grammar-rule-name:38 grammar-fragile-names:41 grammar-rule-name:44 too-little:128
rfc7738/ccsds missing:security_and_privacy missing:interoperability name-form:1
  grammar-in-words:41 grammar-in-words:57 grammar-defined-twice:104
rfc7853/globus missing:security_and_privacy missing:interoperability grammar-brackets:28
  personal-address:10
  grammar-equals:28 grammar-alternative:30 grammar-fragile-names:36 too-little:110
rfc8057/bbf missing:security_and_privacy missing:interoperability too-little:75
rfc8057/broadband-forum-org missing:security_and_privacy missing:interoperability too-little:75
rfc8057/dslforum-org missing:security_and_privacy missing:interoperability too-little:75
rfc8107/adid missing:security_and_privacy missing:interoperability without-heading:5
  personal-address:10
rfc8464/3gpp2 name-form:1 grammar-fragile-names:37 personal-address:7
rfc9039/dev name-form:1
"""
_ROWS = [line.split() for line in _TABLE.replace("\n  ", " ").strip().split("\n")]
FOUND = {name: sorted(found) for name, *found in _ROWS}
