"""Words that many could lay claim to, so that a namespace named by one starts a dispute."""

# What anyone might call their names, in any trade.
_COMMON = """
account act address age agent air alert animal app archive area army art article asset atlas audio
bank base bird body book box brand bridge building business cable call car card care case catalog
catalogue cell chart chat child church city class climate cloud code collection college color colour
community company computer concept contact content contract control council country county course
court culture customer data dataset date day degree design device dictionary digital disease doc
document dog domain door drug earth education element email employee energy engine equipment event
example exchange family farm field file film finance fire fish flag flight flow food forest forum
friend fund game garden gene gold grant graph group guide health heart history home hospital hotel
house image index industry info information invoice island item job journal key kind land language
law learning lesson letter library licence license life light link list loan location magazine mail
manuscript map mark market media medicine member memory menu message metadata metal mine mobile
model money monument moon movie museum music nation nature network news newspaper note object ocean
office order page paper park part party patent patient payment people person phone photo picture
place plan planet plant play player poem point police policy port post price print product program
programme project protein publication publisher radio rail recipe record region report research
resource river road room route sample scene school science sea search security sensor serial series
server service ship shop signal site skill social society software song sound source space species
sport star state station stone stop store story street student studio study subject sun system table
tag task tax teacher team test text thing thread ticket time title tool topic town track trade train
transport travel tree type unit university user vehicle video village voice vote war water way
weather web week wind wine wood word work world year
"""
COMMON_WORDS = frozenset(_COMMON.split())

# What sounds as if one namespace spoke for all of them.
_AUTHORITY = """
administration agency assigned authoritative authority canonical certified common core default
general generic global government identification identifier identifiers identity infrastructure
international internet name names namespace namespaces national nid norm norms nss number numbers
official open permanent persistent pid primary private protocol public register registered
registration registry reserved root scheme specification specifications standard standards uniform
unique universal uri uris url urls urns
"""
AUTHORITY_WORDS = frozenset(_AUTHORITY.split())
