"""Every place that a text comes in by.

Who adds a field, a query argument, a file, a header that is read or a command with a file adds
its name here; a test compares this table with what the pages and the code have.
"""

from collections.abc import Mapping

# What the page itself puts into each form, and who forges one changes.
HIDDEN = frozenset({"csrf_token", "key", "lock_version", "iteration", "sending", "then"})

FIELDS_OF = """
ark_tool.follow                         ark method resolver
assigned_names.change_name              anywhere further persistence public redirect target
assigned_names.change_name              what when where who
assigned_names.choose                   kept rest target
assigned_names.mint                     count reserved
assigned_names.withdraw                 reason successor
claims.decide                           decision reason
corrections.add_person                  id name org reason updated uris
corrections.correct_head                expert-urn-namespaces-1 expert-urn-namespaces-2 notes reason
corrections.correct_head                rule-urn-namespaces-1 rule-urn-namespaces-2 title
corrections.correct_name                cited date description examples holder homepage is_exact
corrections.correct_name                name reason
corrections.correct_name                names pattern pattern_source resolvability status successor
corrections.correct_name                takes_http title updated
corrections.correct_name                contact_1_type contact_1_value
corrections.correct_name                template_1_type template_1_value
corrections.correct_name                references_1_type references_1_value
corrections.correct_name                service_1_contact service_1_country service_1_is_resolver
corrections.correct_name                service_1_kind service_1_language service_1_media_type
corrections.correct_name                service_1_since service_1_takes_r service_1_target
corrections.correct_name                service_1_until service_1_when
corrections.correct_person              name org reason updated uris
corrections.naan-correct_name           cited date name reason status successor updated
corrections.naan-correct_name           acronym mask naan_purpose native_name organization
corrections.naan-correct_name           organization_kind policy policy_address service_provider
corrections.naan-correct_name           target
corrections.naan-correct_name           shoulder_label target_spelling target_status tenure test_ark
corrections.naan-correct_name           web_address
corrections.naan-note_dispute           court grounds kind
corrections.naan-settle_dispute         by decided decision effect outcome place
corrections.note_dispute                court grounds kind
corrections.profile
corrections.settle_dispute              by decided decision effect outcome place
demo.enter_as                           kept next
desk.register                           base_version label priority reason reference
discussion.change                       comment
discussion.choose                       discussion news work
discussion.say                          comment relayed section signed
experts.appoint                         decision email registry role
experts.confirm
experts.dismiss                         decision
experts.end
experts.say                             first interest last organization
found_names.move                        begins instead
found_names.look                        reason successor
found_names.withdraw                    reason successor
delegates.ask                           shown
delegates.ask_transfer                  address organization reason
delegates.begin                         way
delegates.change_people                 address knowing person
delegates.change_people_of_request      address knowing person
delegates.naan-ask                      shown
delegates.naan-ask_transfer             address organization reason
delegates.naan-begin                    way
delegates.naan-change_people            address knowing person
delegates.naan-stop_transfer            reason
delegates.stop_transfer                 reason
delegates.take_newer
delegates.use                           reason
mail.clear
mail.discard
mail.draft
mail.paste                              message
mail.place                              number
mail.send_again
name_files.bring_in                     again carried file prefix
name_files.preview                      again carried file prefix
notes.keep                              body title
notes.note                              note
notes.remove                            title
operations.dismiss
organizations.add                       decision name reference since
organizations.change                    email reason
template_upload.draft                   file registry text to
template_upload.read                    file text to
prefixes.add                            holder holder_name label numbering pattern persistence
prefixes.add                            policy prefix target_rule
prefixes.add_person                     email holder until
prefixes.change                         holder_name label numbering pattern persistence policy
prefixes.change                         target_rule
prefixes.end                            reason
prefixes.end_person
prefixes.examples                       holder holder_name label numbering pattern persistence
prefixes.examples                       policy prefix target_rule
prefixes.look_at_end                    reason
registrant.discard
registrant.save                         additional_information assignment case clause
registrant.save                         contact_address
registrant.save                         contact_name contact_telephone decoded documentation dropped
registrant.save                         interoperability namespace_identifier organization parts
registrant.save                         purpose
registrant.save                         registrant resolution revision_information
registrant.save                         security_and_privacy
registrant.save                         separator standard status successor syntax
registrant.save                         examples homepage names resolvability title
registrant.save                         service_1_contact service_1_country service_1_is_resolver
registrant.save                         service_1_kind service_1_language service_1_media_type
registrant.save                         service_1_since service_1_takes_r service_1_target
registrant.save                         service_1_until service_1_when
registrant.save/naan/assignment  naan_purpose policy policy_address tenure
registrant.save/naan/registrant  acronym existing_practice naan_address naan_contact native_name
registrant.save/naan/registrant  organization organization_kind web_address
registrant.save/naan/safety-and-use service_provider target target_spelling target_status
registrant.save/naan/safety-and-use test_ark
registrant.save/shoulder/assignment mask naan_name naan_purpose policy policy_address
registrant.save/shoulder/assignment shoulder_label tenure
registrant.save/shoulder/registrant acronym existing_practice naan_address naan_contact
registrant.save/shoulder/registrant native_name organization organization_kind web_address
registrant.save/shoulder/safety-and-use service_provider target target_spelling target_status
registrant.save/shoulder/safety-and-use test_ark
registrant.send                         answer_review_9_1 answer_review_9_1_words reason
registrant.start                        registry
requests.act                            body date day expert other procedure reason reference report
requests.act                            rule ticket
requests.copy                           reason
review.send                             benefit competence name permanence reason relation stability
review.send                             comment relayed section signed verdict
sign_in.ask                             email kept next
sign_in.choose_name                     name
sign_in.end_session
sign_in.leave
sign_in.leave_everywhere
sign_in.use                             instead
syntax_tool.study                       equivalence file nid q start
tools.nids_in_text                      file q
tools.urns                              file q
yearly_questions.answer_question        answer
yearly_questions.naan-answer_question   answer
"""

QUERIES_OF = """
ark_tool.show                           q
assigned_names.name_page                name
corrections.find                        name
desk.form                               base_version label reference
desk.index                              overdue procedure q task
editions.compare                        from to
editions.index                          as-of
editions.naans-compare                  from to
editions.naans-index                    as-of
found_names.found                       q state
assigned_names.everywhere               after q state
prefix_list.index                       after
help.which                              answers
holders.index                           after
delegates.find                          kind name
name_files.import_page                  prefix
name_files.imported                     after
naan_triage.show                        acronym address organization wish
prefixes.index                          prefix
prefixes.prefix                         after q state
public.difference                       from to view
public.difference_as_text               from to
public.home                             q under
public.naans                            host kind order organization policy q reference sort status
public.naans                            year as-of
public.registry                         kind order q reference sort status year as-of
records.changes                         from to view
records.changes_as_text                 from to
registrant.begin                        at
registrant.edit                         found preview study
registrant.new                          kind
requests.index                          overdue procedure q state turn
requests.listed                         after
review.show                             q saved
sign_in.form                            next
syntax_tool.show                        equivalence nid q start
tools.nid                               q
tools.urn                               nid q
"""

# Headers that somebody's own, or a proxy's, can hold anything in.
HEADERS = (
    *("Accept", "Accept-Encoding", "Accept-Language", "Cookie", "Host", "If-Match"),
    *("If-Modified-Since", "If-None-Match", "Origin", "Range", "Referer", "Sec-Fetch-Site"),
    *("User-Agent", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded"),
)

# The parts of a message that come in by mail; ``{}`` is where the text stands.
MAIL_HEADERS = (
    *("From", "To", "Cc", "Subject", "Message-ID", "In-Reply-To", "References", "Date"),
    *("Delivered-To", "Archived-At", "List-Archive", "Auto-Submitted", "Precedence"),
    *("Content-Type", "Content-Transfer-Encoding", "Content-Disposition", "Received", "Sender"),
    *("Authentication-Results", "Reply-To", "Return-Path", "X-Failed-Recipients", "X-Loop"),
    "X-Original-To",
)
MAIL_BODIES: Mapping[str, str] = {
    "text": "Content-Type: text/plain; charset=utf-8\r\n\r\n{}\r\n",
    "quoted": "Content-Type: text/plain; charset=utf-8\r\n\r\nNo.\r\n\r\n> {}\r\n",
    "HTML": "Content-Type: text/html; charset=utf-8\r\n\r\n<p>{}</p>\r\n",
    "charset": 'Content-Type: text/plain; charset="{}"\r\n\r\nWords.\r\n',
    "file name": "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nA file.\r\n--b\r\n"
    'Content-Disposition: attachment; filename="{}"\r\n\r\nIn it.\r\n--b--\r\n',
    "file": "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nA file.\r\n--b\r\n"
    "Content-Disposition: attachment; filename=a.txt\r\n\r\n{}\r\n--b--\r\n",
    "boundary": 'Content-Type: multipart/mixed; boundary="{}"\r\n\r\n--{}\r\n\r\nWords.\r\n',
    "bounce": "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
    "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; a.example\r\n\r\n"
    "Final-Recipient: rfc822; {}\r\nAction: failed\r\nStatus: 5.1.1\r\n"
    "Diagnostic-Code: smtp; {}\r\n--b--\r\n",
}

# Commands that read what somebody else wrote, each as it is called.
COMMANDS = """
mail ingest              -
template read FILE       file
template lint FILE       file
template write FILE      file
syntax check FILE        file
urn find -               -
urn check -              -
urn parse -              -
urn normalize -          -
nid check -              -
ark parse -              -
ark normalize -          -
ark check -              -
ark resolve --resolver http://[::1]:9 - -
noid check -             -
procedures draw FILE     file
names import FILE        file
registry import FILE     file
registry import-naans FILE file
registry import-profiles FILE file
names import --prefix ark:12345/x5 FILE file
names import --as nobody@org.example - -
"""


def _table(lines: str) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for name, *names in (line.split() for line in lines.splitlines() if line):
        found.setdefault(name, set()).update(names)
    return {name: frozenset(names) for name, names in found.items()}


FIELDS = _table(FIELDS_OF)
QUERIES = _table(QUERIES_OF)
