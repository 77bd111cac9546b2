"""Who may ask for what: a row for every route, method and object, a column for everybody.

Each cell is the status that somebody gets; ``in`` stands for being led to the sign-in, which is
303 to its page for a reader and 401 with its form for a writer. What is somebody's own stands in
the same row as what is foreign to the others: the requests are the registrant's.
"""

from base64 import b64encode
from http import HTTPStatus
from typing import NamedTuple
from zlib import compress, crc32

from werkzeug.exceptions import NotFound

from app.registration.declarations.naan_registries import NAAN_SPACE, SHOULDER_SPACE
from app.registration.declarations.registries import FORMAL, URN_SPACE
from app.store.accounts import delegate_rows
from app.store.database import read_transaction
from app.store.requests import draft_rows, request_rows
from tests import factories
from tests.attack.tables.given_names import GIVEN_NAMES
from tests.attack.tables.naans import NAAN_REQUESTS
from tests.attack.tables.people import OWN, ROLES
from tests.web.conftest import World
from tests.web.visitor import Page, Visitor

SIGN_IN = "in"
_GIVEN = {"200", "301", "302", "303"}
# what a page of the one name that is found notes of it
_NAMES_SEEN = str(crc32(b"ark:24680/w8a 1\n") % 10**9)
_AS_PROGRAM = {"Accept": "application/problem+json"}

# The columns: a stranger; the registrant whose requests they are; another registrant; an expert who
# has them; an expert who does not; one with a conflict of interest; the lead expert, who
# has them too; an operator; an operator who acts for the requests as well.
TABLE = """
GET  /                                            200 200 200 200 200 200 200 200 200
GET  /?q=isbn                                     303 303 303 303 303 303 303 303 303
GET  /?q=978-951-0-18435-6                        303 303 303 303 303 303 303 303 303
GET  /?q=urn:quokka:1                             303 303 303 303 303 303 303 303 303
GET  /?q=urn:numbat:1                             404 404 404 404 404 404 404 404 404
GET  /assignments/urn-namespaces/?q=isnb          200 200 200 200 200 200 200 200 200
GET  /assignments/urn-namespaces/                 200 200 200 200 200 200 200 200 200
GET  /assignments/urn-namespaces                  301 301 301 301 301 301 301 301 301
GET  /assignments/urn-namespaces/urn-namespaces   301 301 301 301 301 301 301 301 301
GET  /assignments/urn-formal/isbn                 404 404 404 404 404 404 404 404 404
GET  /assignments/urn-formal/quokka               200 200 200 200 200 200 200 200 200
GET  /assignments/urn-informal/quokka             404 404 404 404 404 404 404 404 404
GET  /namespaces/isbn                             200 200 200 200 200 200 200 200 200
GET  /namespaces/ISBN                             301 301 301 301 301 301 301 301 301
GET  /namespaces/numbat                           404 404 404 404 404 404 404 404 404
GET  /editions/                                   200 200 200 200 200 200 200 200 200
GET  /editions/?as-of=2026-12-31                  302 302 302 302 302 302 302 302 302
GET  /editions/1/                                 200 200 200 200 200 200 200 200 200
GET  /editions/99/                                404 404 404 404 404 404 404 404 404
GET  /editions/1/namespaces/isbn                  200 200 200 200 200 200 200 200 200
GET  /editions/1/namespaces/nobody                404 404 404 404 404 404 404 404 404
GET  /editions/1/names/urn:isbn:1                 503 503 503 503 503 503 503 503 503
GET  /editions/99/names/urn:isbn:1                404 404 404 404 404 404 404 404 404
GET  /editions/1/urn-namespaces.json              503 503 503 503 503 503 503 503 503
GET  /editions/99/urn-namespaces.json             404 404 404 404 404 404 404 404 404
GET  /editions/1..2.json                          200 200 200 200 200 200 200 200 200
GET  /editions/1..99.json                         404 404 404 404 404 404 404 404 404
GET  /editions/compare                            200 200 200 200 200 200 200 200 200
GET  /editions/compare?from=1&to=2                200 200 200 200 200 200 200 200 200
GET  /editions/compare?from=x&to=2                404 404 404 404 404 404 404 404 404
GET  /assignments/naans/                          200 200 200 200 200 200 200 200 200
GET  /assignments/naans                           301 301 301 301 301 301 301 301 301
GET  /assignments/naans/naans                     301 301 301 301 301 301 301 301 301
GET  /naans                                       301 301 301 301 301 301 301 301 301
GET  /naans/                                      301 301 301 301 301 301 301 301 301
GET  /assignments/naans/?q=utopia&policy=nr       200 200 200 200 200 200 200 200 200
GET  /naans/24680                                 200 200 200 200 200 200 200 200 200
GET  /naans/24-680                                301 301 301 301 301 301 301 301 301
GET  /naans/24680.gif                             404 404 404 404 404 404 404 404 404
GET  /naans/12345                                 404 404 404 404 404 404 404 404 404
GET  /naans/24680/x5                              200 200 200 200 200 200 200 200 200
GET  /naans/24680/X5                              301 301 301 301 301 301 301 301 301
GET  /naans/24680/b7                              404 404 404 404 404 404 404 404 404
GET  /naans/12345/x5                              404 404 404 404 404 404 404 404 404
GET  /naans/editions/                             200 200 200 200 200 200 200 200 200
GET  /naans/editions/?as-of=2026-12-31            302 302 302 302 302 302 302 302 302
GET  /naans/editions/1/                           200 200 200 200 200 200 200 200 200
GET  /naans/editions/99/                          404 404 404 404 404 404 404 404 404
GET  /naans/editions/1/naans.json                 503 503 503 503 503 503 503 503 503
GET  /naans/editions/99/naans.json                404 404 404 404 404 404 404 404 404
GET  /naans/editions/1/names/ark:24680/a          503 503 503 503 503 503 503 503 503
GET  /naans/editions/1/names/urn:isbn:1           404 404 404 404 404 404 404 404 404
GET  /naans/editions/99/names/ark:24680/a         404 404 404 404 404 404 404 404 404
GET  /naans/editions/1..2.json                    200 200 200 200 200 200 200 200 200
GET  /naans/editions/1..99.json                   404 404 404 404 404 404 404 404 404
GET  /naans/editions/compare                      200 200 200 200 200 200 200 200 200
GET  /naans/editions/compare?from=1&to=2          200 200 200 200 200 200 200 200 200
GET  /naans/editions/compare?from=x&to=2          404 404 404 404 404 404 404 404 404
GET  /naans/editions/1/naans/24680                200 200 200 200 200 200 200 200 200
GET  /naans/editions/1/naans/24680.json           200 200 200 200 200 200 200 200 200
GET  /naans/editions/1/naans/12345                404 404 404 404 404 404 404 404 404
GET  /naans/editions/1/naans/24680/x5             200 200 200 200 200 200 200 200 200
GET  /naans/editions/1/naans/12345/x5             404 404 404 404 404 404 404 404 404
GET  /namespaces/quokka/versions/1                302 302 302 302 302 302 302 302 302
GET  /namespaces/quokka/versions/1/diff           404 404 404 404 404 404 404 404 404
GET  /namespaces/quokka/diff?from=1&to=1          200 200 200 200 200 200 200 200 200
GET  /namespaces/quokka/diff.txt?from=1&to=1      200 200 200 200 200 200 200 200 200
GET  /namespaces/numbat/diff.txt?from=1&to=1      404 404 404 404 404 404 404 404 404
GET  /namespaces/quokka/requests                  200 200 200 200 200 200 200 200 200
GET  /namespaces/isbn/resolvers                   200 200 200 200 200 200 200 200 200
GET  /namespaces/ISBN/resolvers                   301 301 301 301 301 301 301 301 301
GET  /namespaces/numbat/resolvers                 404 404 404 404 404 404 404 404 404
GET  /resolvers/                                  200 200 200 200 200 200 200 200 200
GET  /resolvers/urn:isbn:                         301 301 301 301 301 301 301 301 301
GET  /resolvers/ark:12345                         404 404 404 404 404 404 404 404 404
GET  /resolvers/ark:24680                         200 200 200 200 200 200 200 200 200
GET  /opensearch.xml                              200 200 200 200 200 200 200 200 200
GET  /help/                                       200 200 200 200 200 200 200 200 200
GET  /help/ark                                    200 200 200 200 200 200 200 200 200
GET  /help/style                                  301 301 301 301 301 301 301 301 301
GET  /help/try                                    200 200 200 200 200 200 200 200 200
GET  /help/glossary                               200 200 200 200 200 200 200 200 200
GET  /help/minting                                200 200 200 200 200 200 200 200 200
GET  /help/checking                               200 200 200 200 200 200 200 200 200
GET  /help/reviewing                              200 200 200 200 200 200 200 200 200
GET  /help/downloading                            200 200 200 200 200 200 200 200 200
GET  /help/registering                            200 200 200 200 200 200 200 200 200
GET  /help/example.txt                            200 200 200 200 200 200 200 200 200
GET  /help/which                                  200 200 200 200 200 200 200 200 200
GET  /help/which?answers=nny                      200 200 200 200 200 200 200 200 200
GET  /help/procedures                             200 200 200 200 200 200 200 200 200
GET  /tools/ark                                   200 200 200 200 200 200 200 200 200
GET  /tools/ark?q=ark:12345/x54xz321%0Anone       200 200 200 200 200 200 200 200 200
POST /tools/ark                                   200 200 200 200 200 200 200 200 200
GET  /tools/                                      200 200 200 200 200 200 200 200 200
GET  /tools/urn                                   200 200 200 200 200 200 200 200 200
GET  /tools/urn?q=urn:isbn:1%0Anone               200 200 200 200 200 200 200 200 200
POST /tools/urn                                   200 200 200 200 200 200 200 200 200
GET  /problems/                                   200 200 200 200 200 200 200 200 200
GET  /problems/name_taken                         200 200 200 200 200 200 200 200 200
GET  /problems/nobody                             404 404 404 404 404 404 404 404 404
GET  /tools/nid                                   200 200 200 200 200 200 200 200 200
GET  /tools/nid?q=isbn                            200 200 200 200 200 200 200 200 200
POST /tools/nid                                   200 200 200 200 200 200 200 200 200
GET  /tools/template                              200 200 200 200 200 200 200 200 200
GET  /tools/syntax                                200 200 200 200 200 200 200 200 200
GET  /tools/syntax?q=a=%22urn:ex:%22              200 200 200 200 200 200 200 200 200
POST /tools/syntax                                200 200 200 200 200 200 200 200 200
POST /tools/template                              200 200 200 200 200 200 200 200 200
GET  /appointments/                               200 200 200 200 200 200 200 200 200
GET  /.well-known/security.txt                    404 404 404 404 404 404 404 404 404
GET  /healthz                                     200 200 200 200 200 200 200 200 200
GET  /readyz                                      503 503 503 503 503 503 503 503 503
GET  /static/ui.css                               200 200 200 200 200 200 200 200 200
GET  /static/../config.py                         404 404 404 404 404 404 404 404 404

GET  /sign-in                                     200 200 200 200 200 200 200 200 200
POST /sign-in                                     200 200 200 200 200 200 200 200 200
GET  /sign-in/guessed                             410 410 410 410 410 410 410 410 410
POST /sign-in/guessed                             410 410 410 410 410 410 410 410 410
POST /sign-out                                    303 303 303 303 303 303 303 303 303
GET  /sign-in/{link}                              200 200 200 200 200 200 200 200 200
POST /sign-in/{link}                              303 409 303 409 409 409 409 409 409
GET  /account                                     in  200 200 200 200 200 200 200 200
POST /account/sessions/end                        in  303 303 303 303 303 303 303 303
POST /account/sessions/{session}/end              in  303 404 404 404 404 404 404 404
POST /demo/sign-in/0                              303 303 303 303 303 303 303 303 303
POST /demo/sign-in/6                              404 404 404 404 404 404 404 404 404

GET  /requests/                                   200 200 200 200 200 200 200 200 200
GET  /requests/pending                            200 200 200 200 200 200 200 200 200
GET  /requests/decided                            200 200 200 200 200 200 200 200 200
GET  /requests/decided?after=x                    404 404 404 404 404 404 404 404 404
GET  /requests/yours                              in  200 200 200 200 200 200 200 200
GET  /requests/new                                200 200 200 200 200 200 200 200 200
GET  /requests/new/naan                           200 200 200 200 200 200 200 200 200
GET  /requests/new/naan?wish=tests&acronym=ANU    200 200 200 200 200 200 200 200 200
GET  /requests/new/naan?wish=quokkas              422 422 422 422 422 422 422 422 422
POST /requests/new                                in  303 303 303 303 303 303 303 303

POST /requests/new/template                       in  303 303 303 303 303 303 303 303

GET  /requests/{draft}                            404 303 404 404 404 404 404 404 303
GET  /requests/{new}                              200 200 200 200 200 200 200 200 200
GET  /requests/{checked}                          200 200 200 200 200 200 200 200 200
GET  /requests/{reviewed}                         200 200 200 200 200 200 200 200 200
GET  /requests/{returned}                         200 200 200 200 200 200 200 200 200
GET  /requests/{approved}                         200 200 200 200 200 200 200 200 200
GET  /requests/{registered}                       200 200 200 200 200 200 200 200 200
GET  /requests/{withdrawn}                        200 200 200 200 200 200 200 200 200
GET  /requests/{absent}                           404 404 404 404 404 404 404 404 404
GET  /requests/{new}/iterations/1                 200 200 200 200 200 200 200 200 200
GET  /requests/{new}/iterations/2                 404 404 404 404 404 404 404 404 404
GET  /requests/{draft}/iterations/1               404 404 404 404 404 404 404 404 404

GET  /requests/{draft}/edit/                      303 303 303 303 303 303 303 303 303
GET  /requests/{draft}/edit/registrant            in  200 404 404 404 404 404 404 200
GET  /requests/{draft}/edit/name-and-purpose      in  200 404 404 404 404 404 404 200
GET  /requests/{draft}/edit/syntax                in  200 404 404 404 404 404 404 200
GET  /requests/{draft}/edit/assignment            in  200 404 404 404 404 404 404 200
GET  /requests/{draft}/edit/safety-and-use        in  200 404 404 404 404 404 404 200
GET  /requests/{draft}/edit/documents             in  200 404 404 404 404 404 404 200
GET  /requests/{returned}/edit/registrant         in  200 404 404 404 404 404 404 200
GET  /requests/{new}/edit/registrant              in  403 404 404 404 404 404 404 403
GET  /requests/{draft}/edit/nothing               404 404 404 404 404 404 404 404 404
POST /requests/{draft}/edit/registrant            in  303 404 404 404 404 404 404 303
POST /requests/{returned}/edit/registrant         in  303 404 404 404 404 404 404 303
POST /requests/{new}/edit/registrant              in  403 404 404 404 404 404 404 403
POST /requests/{registered}/edit/registrant       in  403 404 404 404 404 404 404 403
GET  /requests/{draft}/check                      in  200 404 404 404 404 404 404 200
GET  /requests/{returned}/check                   in  200 404 404 404 404 404 404 200
GET  /requests/{new}/check                        in  403 404 404 404 404 404 404 403
POST /requests/{draft}/check                      in  303 404 404 404 404 404 404 303
POST /requests/{returned}/check                   in  422 404 404 404 404 404 404 422
POST /requests/{new}/check                        in  403 404 404 404 404 404 404 403
POST /requests/{draft}/discard                    in  303 303 303 303 303 303 303 303
POST /requests/{new}/discard                      in  403 303 303 303 303 303 303 403

POST /requests/{draft}/withdraw                   in  409 404 404 404 404 404 404 409
POST /requests/{new}/take                         in  403 403 403 403 403 403 303 303
POST /requests/{new}/pass                         in  409 409 409 409 409 409 409 409
POST /requests/{new}/withdraw                     in  303 403 403 403 403 403 403 303
POST /requests/{checked}/take                     in  409 409 409 409 409 409 409 409
POST /requests/{checked}/pass                     in  403 403 403 403 403 403 303 422
POST /requests/{checked}/return                   in  403 403 403 403 403 403 303 303
POST /requests/{checked}/decline                  in  403 403 403 403 403 403 303 422
POST /requests/{checked}/withdraw                 in  303 403 403 403 403 403 403 303
POST /requests/{reviewed}/return                  in  403 403 403 403 403 403 403 403
POST /requests/{reviewed}/take-on                 in  403 403 403 303 403 403 403 403
POST /requests/{reviewed}/pass-on                 in  403 403 303 403 403 303 403 403
POST /requests/{reviewed}/decline                 in  403 403 403 403 403 403 403 403
POST /requests/{reviewed}/withdraw                in  303 403 403 403 403 403 403 303
POST /requests/{reviewed}/recuse                  in  403 403 303 303 403 303 403 403
POST /requests/{reviewed}/escalate                in  403 403 403 403 403 422 422 422
POST /requests/{reviewed}/approve                 in  422 422 422 422 422 422 422 422
POST /requests/{reviewed}/merge                   in  403 403 403 403 403 403 422 422
POST /requests/{reviewed}/ask-procedure           in  422 403 403 403 403 403 403 422
POST /requests/{reviewed}/raise-delay             in  422 403 403 403 403 403 403 422
POST /requests/{returned}/withdraw                in  303 403 403 403 403 403 403 303
POST /requests/{approved}/reopen                  in  403 403 403 403 403 303 303 422
POST /requests/{approved}/collision               in  403 403 403 403 403 403 422 422
POST /requests/{approved}/withdraw                in  303 403 403 403 403 403 403 303
POST /requests/{registered}/withdraw              in  409 409 409 409 409 409 409 409
POST /requests/{withdrawn}/take                   in  409 409 409 409 409 409 409 409
POST /requests/{new}/review                       404 404 404 404 404 404 404 404 404
POST /requests/{new}/register                     404 404 404 404 404 404 404 404 404
POST /requests/{new}/submit                       404 404 404 404 404 404 404 404 404
POST /requests/{new}/direct                       in  409 409 409 409 409 409 409 409
POST /requests/{reported}/direct                  in  403 403 403 403 403 403 422 422
POST /requests/{reported}/refuse                  in  403 403 403 403 403 403 422 422
POST /requests/{returned}/remind                  in  403 403 403 403 403 403 422 422
POST /requests/{returned}/resubmit                404 404 404 404 404 404 404 404 404
POST /requests/{new}/start                        in  422 422 422 422 422 422 422 422
POST /requests/{new}/correct                      404 404 404 404 404 404 404 404 404
POST /requests/{new}/notes                        in  403 403 403 403 403 403 303 303
POST /requests/{draft}/notes                      in  403 403 403 403 403 403 404 404
POST /requests/{withdrawn}/copy                   in  303 403 403 403 403 403 403 303
POST /requests/{new}/copy                         in  409 409 409 409 409 409 409 409
GET  /requests/{new}/iterations/1.txt             200 200 200 200 200 200 200 200 200
GET  /requests/{new}/iterations/2.txt             404 404 404 404 404 404 404 404 404
GET  /requests/{draft}/iterations/1.txt           404 404 404 404 404 404 404 404 404
GET  /requests/{new}/internet-draft.xml           200 200 200 200 200 200 200 200 200
GET  /requests/{draft}/internet-draft.xml         404 200 404 404 404 404 404 404 200
GET  /requests/{absent}/internet-draft.xml        404 404 404 404 404 404 404 404 404
GET  /requests/{draft}/draft.txt                  in  200 404 404 404 404 404 404 200
GET  /requests/{new}/draft.txt                    in  403 404 404 404 404 404 404 403
GET  /requests/{new}/record.txt                   200 200 200 200 200 200 200 200 200
GET  /requests/{draft}/record.txt                 404 404 404 404 404 404 404 404 404
GET  /requests/{new}/message.txt                  200 200 200 200 200 200 200 200 200
GET  /requests/{draft}/message.txt                404 404 404 404 404 404 404 404 404
GET  /requests/{new}/report.txt                   404 404 404 404 404 404 404 404 404
GET  /requests/{draft}/report.txt                 404 404 404 404 404 404 404 404 404
GET  /requests/{new}/report.md                    404 404 404 404 404 404 404 404 404
GET  /requests/{reported}/report.txt              200 200 200 200 200 200 200 200 200
GET  /requests/{reported}/report.md               200 200 200 200 200 200 200 200 200
GET  /requests/{again}/diff                       200 200 200 200 200 200 200 200 200
GET  /requests/{again}/diff?from=1&to=7           404 404 404 404 404 404 404 404 404
GET  /requests/{again}/diff.txt                   200 200 200 200 200 200 200 200 200
GET  /requests/{draft}/diff.txt                   404 404 404 404 404 404 404 404 404
GET  /requests/{draft}/diff                       404 404 404 404 404 404 404 404 404
POST /requests/{absent}/take                      in  404 404 404 404 404 404 404 404

GET  /review/you                                  in  403 403 200 200 200 200 403 403
POST /review/you/organization                     in  403 403 303 303 303 303 403 403
POST /review/you/interest                         in  403 403 303 303 303 303 403 403
POST /review/you/absence                          in  403 403 303 303 303 303 403 403
POST /review/you/nothing                          in  403 403 404 404 404 404 403 403
POST /review/you/absence/77/end                   in  403 403 404 404 404 404 403 403
POST /review/you/absence/{absence}/end            in  403 403 303 404 404 404 403 403
POST /review/you/nothing/1/end                    in  403 403 404 404 404 404 403 403
GET  /review/                                     in  403 403 200 200 200 200 403 403
GET  /review/{reviewed}                           in  403 403 200 200 303 200 403 403
GET  /review/{experts}                            in  403 403 303 200 303 200 403 403
GET  /review/{new}                                in  403 403 303 303 303 303 403 403
GET  /review/{draft}                              in  403 403 404 404 404 404 403 403
POST /review/{reviewed}                           in  403 403 303 303 403 303 403 403
POST /review/{experts}                            in  403 403 403 303 403 303 403 403
POST /review/{new}                                in  403 403 409 409 409 409 403 403
POST /review/{registered}                         in  403 403 409 409 409 409 403 403
POST /review/{draft}                              in  403 403 404 404 404 404 403 403

GET  /desk/                                       in  403 403 403 403 403 403 200 200
GET  /desk/{approved}/register                    in  403 403 403 403 403 403 200 200
GET  /desk/{new}/register                         in  403 403 403 403 403 403 303 303
GET  /desk/{draft}/register                       in  403 403 403 403 403 403 404 404
POST /desk/{approved}/register                    in  403 403 403 403 403 403 303 422
POST /desk/{new}/register                         in  403 403 403 403 403 403 409 409
POST /desk/{registered}/register                  in  403 403 403 403 403 403 409 409
POST /desk/{draft}/register                       in  403 403 403 403 403 403 404 404

GET  /desk/experts                                in  403 403 403 403 403 403 200 200
POST /desk/experts                                in  403 403 403 403 403 403 303 303
POST /desk/experts/{appointed}/end                in  403 403 403 403 403 403 303 303
POST /desk/experts/777/end                        in  403 403 403 403 403 403 404 404
POST /desk/experts/{appointed}/confirm            in  403 403 403 403 403 403 403 303
POST /desk/experts/{unconfirmed}/confirm          in  403 403 403 403 403 403 303 403
POST /desk/experts/777/confirm                    in  403 403 403 403 403 403 404 404
GET  /desk/organizations/                         in  403 403 403 403 403 403 200 200
POST /desk/organizations/                         in  403 403 403 403 403 403 303 303
POST /desk/organizations/{recognized}/add         in  403 403 403 403 403 403 303 303
POST /desk/organizations/{recognized}/remove      in  403 403 403 403 403 403 422 422
POST /desk/organizations/{recognized}/end         in  403 403 403 403 403 403 303 303
POST /desk/organizations/{recognized}/sell        in  403 403 403 403 403 403 404 404
POST /desk/organizations/777/add                  in  403 403 403 403 403 403 404 404
GET  /desk/mail/                                  in  403 403 403 403 403 403 200 200
POST /desk/mail/{failed}/again                    in  403 403 403 403 403 403 303 303
POST /desk/mail/                                  in  403 403 403 403 403 403 303 303
POST /desk/mail/queue/{queued}/place              in  403 403 403 403 403 403 303 303
POST /desk/mail/queue/{queued}/discard            in  403 403 403 403 403 403 303 303
POST /desk/mail/queue/{template}/draft            in  403 403 403 403 403 403 303 303
POST /desk/mail/queue/9999/draft                  in  403 403 403 403 403 403 404 404
POST /desk/mail/queue/9999/place                  in  403 403 403 403 403 403 404 404
POST /desk/mail/queue/9999/discard                in  403 403 403 403 403 403 404 404
POST /desk/mail/9999/again                        in  403 403 403 403 403 403 404 404
POST /desk/mail/addresses/{marked}/clear          in  403 403 403 403 403 403 303 303
POST /desk/mail/addresses/9999/clear              in  403 403 403 403 403 403 404 404
POST /account/name                                in  303 303 303 303 303 303 303 303
POST /account/mail                                in  303 303 303 303 303 303 303 303
POST /requests/{new}/comments                     in  303 303 303 303 303 303 303 303
POST /requests/{draft}/comments                   in  404 404 404 404 404 404 404 404
POST /requests/{new}/comments/{comment}           in  303 403 403 403 403 403 403 403
POST /requests/{again}/comments/{comment}         in  404 404 404 404 404 404 404 404
GET  /desk/status/                                in  403 403 403 403 403 403 200 200
POST /desk/status/{host}/dismiss                  in  403 403 403 403 403 403 303 303
POST /desk/status/9999/dismiss                    in  403 403 403 403 403 403 404 404
GET  /desk/replies                                in  403 403 403 403 403 403 200 200
POST /desk/replies                                in  403 403 403 403 403 403 303 303
POST /desk/replies/remove                         in  403 403 403 403 403 403 303 303
GET  /namespaces/quokka/revise                    in  200 303 303 303 303 303 303 200
GET  /namespaces/numbat/revise                    404 404 404 404 404 404 404 404 404
POST /namespaces/quokka/revise                    in  303 303 303 303 303 303 303 303
GET  /requests/revise                             303 303 303 303 303 303 303 303 303
GET  /requests/revise?name=isbn                   303 303 303 303 303 303 303 303 303
GET  /requests/{revision}/revision                404 200 404 404 404 404 404 404 200
GET  /requests/{new}/revision                     404 404 404 404 404 404 404 404 404
POST /requests/{revision}/revision                in  422 404 404 404 404 404 404 422
GET  /requests/{outdated}/revision                404 200 404 404 404 404 404 404 200
POST /requests/{outdated}/revision                in  303 404 404 404 404 404 404 303
GET  /requests/{revision}/edit/documents          in  200 404 404 404 404 404 404 200
GET  /requests/{revision}/check                   in  200 404 404 404 404 404 404 200

GET  /namespaces/quokka/people                    in  200 403 403 403 403 403 200 200
GET  /namespaces/numbat/people                    in  404 404 404 404 404 404 404 404
POST /namespaces/quokka/people/invite             in  303 403 403 403 403 403 403 303
POST /namespaces/quokka/people/call-off           in  303 403 403 403 403 403 403 303
POST /namespaces/quokka/people/remove             in  422 403 403 403 403 403 403 303
POST /namespaces/quokka/people/leave              in  303 403 403 403 403 403 403 303
POST /namespaces/quokka/people/rename             404 404 404 404 404 404 404 404 404
GET  /requests/{draft}/people                     in  200 404 404 404 404 404 404 200
GET  /requests/{new}/people                       in  200 404 404 404 404 404 404 200
GET  /requests/{registered}/people                in  303 403 403 403 403 403 303 303
POST /requests/{draft}/people/invite              in  303 404 404 404 404 404 404 303
POST /requests/{draft}/people/leave               in  303 404 404 404 404 404 404 303
POST /requests/{new}/people/invite                in  303 404 404 404 404 404 404 303
POST /requests/{new}/people/remove                in  404 404 404 404 404 404 404 404

GET  /namespaces/isbn/claim                       200 200 200 200 200 200 200 200 200
GET  /namespaces/quokka/claim                     200 303 200 200 200 200 200 200 303
GET  /namespaces/numbat/claim                     404 404 404 404 404 404 404 404 404
POST /namespaces/isbn/claim/contact               in  422 422 422 422 422 422 422 422
POST /namespaces/isbn/claim/evidence              in  303 422 303 303 303 303 303 303
POST /namespaces/quokka/claim/evidence            in  422 303 303 303 303 303 303 422
GET  /namespaces/quokka/transfer                  in  200 403 403 403 403 403 404 200
POST /namespaces/quokka/transfer                  in  303 403 403 403 403 403 403 303
POST /namespaces/quokka/transfer/stop             in  404 403 403 403 403 403 403 404
GET  /namespaces/dunnart/transfer                 in  200 403 403 403 403 403 404 200
POST /namespaces/dunnart/transfer                 in  422 403 403 403 403 403 403 422
POST /namespaces/dunnart/transfer/stop            in  303 403 403 403 403 403 403 303

GET  /desk/naans/24680                            in  403 403 403 403 403 403 200 200
GET  /desk/naans/24-680                           in  403 403 403 403 403 403 301 301
GET  /desk/naans/12345                            in  403 403 403 403 403 403 404 404
POST /desk/naans/24680                            in  403 403 403 403 403 403 303 403
POST /desk/naans/12345                            in  403 403 403 403 403 403 404 404
GET  /desk/naans/24680/x5                         in  403 403 403 403 403 403 200 200
GET  /desk/naans/12345/x5                         in  403 403 403 403 403 403 404 404
POST /desk/naans/24680/x5                         in  403 403 403 403 403 403 303 403
POST /desk/naans/24680/b7                         in  403 403 403 403 403 403 404 404
POST /desk/naans/24680/disputes                   in  403 403 403 403 403 403 409 403
POST /desk/naans/12345/disputes                   in  403 403 403 403 403 403 404 404
POST /desk/naans/24680/disputes/settle            in  403 403 403 403 403 403 422 403
POST /desk/naans/12345/disputes/settle            in  403 403 403 403 403 403 404 404
GET  /naans/24680/revise                          in  200 303 303 303 303 303 303 200
POST /naans/24680/revise                          in  303 303 303 303 303 303 303 303
GET  /naans/24680/x5/revise                       in  200 303 303 303 303 303 303 200
POST /naans/24680/x5/revise                       in  303 303 303 303 303 303 303 303
GET  /naans/12345/revise                          404 404 404 404 404 404 404 404 404
GET  /naans/12345/x5/revise                       404 404 404 404 404 404 404 404 404
POST /naans/12345/revise                          in  404 404 404 404 404 404 404 404
GET  /naans/24680/people                          in  200 403 403 403 403 403 200 200
POST /naans/24680/people/invite                   in  303 403 403 403 403 403 403 303
GET  /naans/24680/x5/people                       in  200 403 403 403 403 403 200 200
POST /naans/24680/x5/people/invite                in  303 403 403 403 403 403 403 303
POST /naans/13579/people/call-off                 in  303 403 403 403 403 403 403 303
POST /naans/24680/people/remove                   in  422 403 403 403 403 403 403 303
POST /naans/24680/people/leave                    in  303 403 403 403 403 403 403 303
GET  /naans/12345/people                          in  404 404 404 404 404 404 404 404
POST /naans/12345/people/invite                   in  404 404 404 404 404 404 404 404
GET  /naans/97531/claim                           200 200 200 200 200 200 200 200 200
GET  /naans/24680/claim                           200 303 200 200 200 200 200 200 303
GET  /naans/12345/claim                           404 404 404 404 404 404 404 404 404
POST /naans/97531/claim/contact                   in  422 422 422 422 422 422 422 422
POST /naans/97531/claim/evidence                  in  303 303 303 303 303 303 303 303
POST /naans/24680/claim/evidence                  in  422 303 303 303 303 303 303 422
POST /naans/24680/x5/claim/evidence               in  422 303 303 303 303 303 303 422
POST /naans/12345/claim/evidence                  in  404 404 404 404 404 404 404 404
GET  /naans/24680/transfer                        in  200 403 403 403 403 403 404 200
POST /naans/24680/transfer                        in  303 403 403 403 403 403 403 303
POST /naans/24680/transfer/stop                   in  404 403 403 403 403 403 403 404
GET  /naans/13579/transfer                        in  200 403 403 403 403 403 404 200
POST /naans/13579/transfer                        in  422 403 403 403 403 403 403 422
POST /naans/13579/transfer/stop                   in  303 403 403 403 403 403 403 303
GET  /naans/12345/transfer                        in  404 404 404 404 404 404 404 404
POST /naans/12345/transfer                        in  404 404 404 404 404 404 404 404
GET  /naans/24680/answer                          in  200 303 303 303 303 303 303 200
POST /naans/24680/answer                          in  303 403 403 403 403 403 403 303
GET  /naans/24680/x5/answer                       in  200 303 303 303 303 303 303 200
GET  /naans/12345/answer                          in  404 404 404 404 404 404 404 404
GET  /naans/12345/x5/answer                       in  404 404 404 404 404 404 404 404
POST /naans/12345/answer                          in  404 404 404 404 404 404 404 404
GET  /namespaces/quokka/answer                    in  404 404 404 404 404 404 404 404
GET  /namespaces/numbat/answer                    in  404 404 404 404 404 404 404 404
POST /namespaces/quokka/answer                    in  404 403 403 403 403 403 403 404
POST /naans/12345/transfer/stop                   in  404 404 404 404 404 404 404 404

GET  /requests/{naan_draft}                       404 303 404 404 404 404 404 404 303
GET  /requests/{naan_new}                         200 200 200 200 200 200 200 200 200
GET  /requests/{naan_checked}                     200 200 200 200 200 200 200 200 200
GET  /requests/{naan_returned}                    200 200 200 200 200 200 200 200 200
GET  /requests/{naan_given}                       200 200 200 200 200 200 200 200 200
GET  /requests/{naan_declined}                    200 200 200 200 200 200 200 200 200
GET  /requests/{shoulder_new}                     200 200 200 200 200 200 200 200 200
GET  /requests/{naan_draft}/edit/registrant       in  200 404 404 404 404 404 404 200
POST /requests/{naan_draft}/edit/registrant       in  303 404 404 404 404 404 404 303
GET  /requests/{naan_draft}/edit/assignment       in  200 404 404 404 404 404 404 200
POST /requests/{naan_draft}/edit/assignment       in  303 404 404 404 404 404 404 303
GET  /requests/{naan_draft}/edit/safety-and-use   in  200 404 404 404 404 404 404 200
POST /requests/{naan_draft}/edit/safety-and-use   in  303 404 404 404 404 404 404 303
GET  /requests/{naan_draft}/check                 in  200 404 404 404 404 404 404 200
POST /requests/{naan_draft}/check                 in  303 404 404 404 404 404 404 303
GET  /requests/{shoulder_draft}/edit/registrant   in  200 404 404 404 404 404 404 200
POST /requests/{shoulder_draft}/edit/registrant   in  303 404 404 404 404 404 404 303
GET  /requests/{shoulder_draft}/edit/assignment   in  200 404 404 404 404 404 404 200
POST /requests/{shoulder_draft}/edit/assignment   in  303 404 404 404 404 404 404 303
GET  /requests/{shoulder_draft}/edit/safety-and-use in  200 404 404 404 404 404 404 200
POST /requests/{shoulder_draft}/edit/safety-and-use in  303 404 404 404 404 404 404 303
GET  /requests/{shoulder_draft}/check             in  200 404 404 404 404 404 404 200
POST /requests/{shoulder_draft}/check             in  303 404 404 404 404 404 404 303
POST /requests/{naan_new}/edit/registrant         in  403 404 404 404 404 404 404 403
GET  /requests/{naan_returned}/edit/registrant    in  200 404 404 404 404 404 404 200
GET  /requests/{naan_revision}/revision           404 200 404 404 404 404 404 404 200
GET  /requests/{naan_revision}/edit/registrant    in  200 404 404 404 404 404 404 200
GET  /requests/{naan_revision}/check              in  200 404 404 404 404 404 404 200
POST /requests/{naan_new}/take                    in  403 403 403 403 403 403 303 303
POST /requests/{shoulder_new}/take                in  403 403 403 403 403 403 303 303
POST /requests/{naan_checked}/return              in  403 403 403 403 403 403 303 303
POST /requests/{naan_checked}/decline             in  403 403 403 403 403 403 303 422
POST /requests/{naan_checked}/pass                in  409 409 409 409 409 409 409 409
POST /requests/{naan_checked}/approve             in  422 422 422 422 422 422 422 422
POST /requests/{naan_declined}/copy               in  303 403 403 403 403 403 403 303
POST /requests/{naan_given}/withdraw              in  409 409 409 409 409 409 409 409
POST /requests/{naan_checked}/comments            in  303 303 303 303 303 303 303 303
POST /requests/{naan_draft}/comments              in  404 404 404 404 404 404 404 404
GET  /requests/{naan_checked}/record.txt          200 200 200 200 200 200 200 200 200
GET  /requests/{naan_checked}/iterations/1.txt    200 200 200 200 200 200 200 200 200
GET  /requests/{naan_draft}/draft.txt             in  200 404 404 404 404 404 404 200
GET  /review/{naan_checked}                       in  403 403 303 303 303 303 403 403
POST /review/{naan_checked}                       in  403 403 409 409 409 409 403 403
GET  /desk/{naan_checked}/register                in  403 403 403 403 403 403 200 303
POST /desk/{naan_checked}/register                in  403 403 403 403 403 403 303 422
GET  /desk/{naan_new}/register                    in  403 403 403 403 403 403 303 303
POST /desk/{naan_draft}/register                  in  403 403 403 403 403 403 404 404
GET  /requests/{naan_draft}/people                in  200 404 404 404 404 404 404 200

GET  /links/{invitation}                          200 200 200 200 200 200 200 200 200
GET  /links/guessed                               410 410 410 410 410 410 410 410 410
POST /links/{invitation}                          401 403 303 403 403 403 403 403 403
POST /links/guessed                               410 410 410 410 410 410 410 410 410

GET  /desk/holders/                               in  403 403 403 403 403 403 200 200
GET  /desk/holders/?after=x                       in  403 403 403 403 403 403 404 404
GET  /desk/prefixes/                              in  403 403 403 403 403 403 200 200
GET  /desk/prefixes/?after=x                      in  403 403 403 403 403 403 200 200

GET  /desk/claims/                                in  403 403 403 403 403 403 200 200
GET  /desk/claims/{claim}                         in  403 403 403 403 403 403 200 200
GET  /desk/claims/{moving}                        in  403 403 403 403 403 403 200 200
GET  /desk/claims/{contested}                     in  403 403 403 403 403 403 200 200
GET  /desk/claims/{absent}                        in  403 403 403 403 403 403 404 404
POST /desk/claims/{claim}                         in  403 403 403 403 403 403 303 303
POST /desk/claims/{absent}                        in  403 403 403 403 403 403 404 404

GET  /desk/names/                                 in  403 403 403 403 403 403 303 303
GET  /desk/names/?name=isbn                       in  403 403 403 403 403 403 303 303
GET  /desk/names/isbn                             in  403 403 403 403 403 403 200 200
GET  /desk/names/ISBN                             in  403 403 403 403 403 403 301 301
GET  /desk/names/numbat                           in  403 403 403 403 403 403 404 404
POST /desk/names/isbn                             in  403 403 403 403 403 403 303 303
POST /desk/names/numbat                           in  403 403 403 403 403 403 404 404
GET  /desk/names/isbn/profile                     in  403 403 403 403 403 403 301 301
GET  /desk/names/ISBN/profile                     in  403 403 403 403 403 403 301 301
GET  /desk/names/numbat/profile                   in  403 403 403 403 403 403 404 404
POST /desk/names/isbn/profile                     in  403 403 403 403 403 403 308 308
POST /desk/names/isbn/disputes                    in  403 403 403 403 403 403 303 303
POST /desk/names/numbat/disputes                  in  403 403 403 403 403 403 404 404
POST /desk/names/dunnart/disputes/settle          in  403 403 403 403 403 403 303 403
POST /desk/names/numbat/disputes/settle           in  403 403 403 403 403 403 404 404
GET  /desk/registry                               in  403 403 403 403 403 403 200 200
POST /desk/registry                               in  403 403 403 403 403 403 303 303
GET  /desk/people/                                in  403 403 403 403 403 403 200 200
POST /desk/people/                                in  403 403 403 403 403 403 303 303
GET  /desk/people/Juha_Hakala                     in  403 403 403 403 403 403 200 200
GET  /desk/people/Nobody                          in  403 403 403 403 403 403 404 404
POST /desk/people/Juha_Hakala                     in  403 403 403 403 403 403 303 303
POST /desk/people/Nobody                          in  403 403 403 403 403 403 404 404

GET  /prefixes/                                   in  200 200 200 200 200 200 200 200
GET  /prefixes/?prefix=ark:24680/w9               in  200 200 200 200 200 200 200 200
POST /prefixes/                                   in  303 403 403 403 403 403 303 303
POST /prefixes/examples                           in  200 200 200 200 200 200 200 200
GET  /prefixes/{prefix}/                          in  200 200 404 404 404 404 200 200
GET  /prefixes/{prefix}/?q=x&state=public&after=a in  200 200 404 404 404 404 200 200
GET  /prefixes/{absent}/                          in  404 404 404 404 404 404 404 404
GET  /prefixes/{prefix}/settings                  in  200 200 404 404 404 404 200 200
POST /prefixes/{prefix}/settings                  in  303 403 404 404 404 404 303 303
POST /prefixes/{absent}/settings                  in  404 404 404 404 404 404 404 404
POST /prefixes/{prefix}/end/look                  in  200 403 404 404 404 404 200 200
POST /prefixes/{prefix}/end                       in  303 403 404 404 404 404 303 303
POST /prefixes/{prefix}/people                    in  303 403 404 404 404 404 303 303
POST /prefixes/{prefix}/people/{name_delegate}/end in  303 403 404 404 404 404 303 303
POST /prefixes/{prefix}/people/{absent}/end       in  404 403 404 404 404 404 404 404
POST /prefixes/{prefix}/mint                      in  303 303 404 404 404 404 403 403
POST /prefixes/{absent}/mint                      in  404 404 404 404 404 404 404 404
POST /prefixes/{named}/choose                     in  303 303 404 404 404 404 403 403
POST /prefixes/{absent}/choose                    in  404 404 404 404 404 404 404 404
GET  /prefixes/{prefix}/batches/{name_batch}      in  200 200 404 404 404 404 403 403
GET  /prefixes/{prefix}/batches/{name_batch}.txt  in  200 200 404 404 404 404 403 403
GET  /prefixes/{prefix}/batches/{absent}          in  404 404 404 404 404 404 404 404
GET  /prefixes/{named}/name?name=ark:24680/w8a    in  200 200 404 404 404 404 200 200
GET  /prefixes/{prefix}/name?name=ark:24680/w8a   in  404 404 404 404 404 404 404 404
GET  /prefixes/{named}/name                       in  404 404 404 404 404 404 404 404
POST /prefixes/{named}/name?name=ark:24680/w8a    in  303 303 404 404 404 404 403 403
POST /prefixes/{named}/withdraw?name=ark:24680/w8a in  303 303 404 404 404 404 403 403
GET  /prefixes/{named}/found?q=w8a&state=public   in  200 200 404 404 404 404 200 200
GET  /prefixes/{absent}/found                     in  404 404 404 404 404 404 404 404
POST /prefixes/{named}/found/move?q=w8a           in  303 303 404 404 404 404 403 403
POST /prefixes/{named}/found/withdraw/look?q=w8a  in  200 200 404 404 404 404 403 403
POST /prefixes/{named}/found/withdraw?q=w8a       in  303 303 404 404 404 404 403 403
GET  /prefixes/names                              in  200 200 200 200 200 200 200 200
GET  /prefixes/names?q=w8a&state=public           in  200 200 200 200 200 200 200 200
GET  /prefixes/import                             in  200 200 200 200 200 200 200 200
GET  /prefixes/import?prefix=ark:24680/w8         in  200 200 200 200 200 200 200 200
POST /prefixes/import/preview                     in  200 200 403 403 403 403 403 403
POST /prefixes/import                             in  303 303 403 403 403 403 403 403
GET  /prefixes/imports/{name_import}              in  200 404 404 404 404 404 404 404
GET  /prefixes/imports/{name_import}?after=x      in  200 404 404 404 404 404 404 404
GET  /prefixes/imports/{name_import}.csv          in  200 404 404 404 404 404 404 404
GET  /prefixes/export.csv                         in  200 200 200 200 200 200 200 200
GET  /prefixes/export.jsonl                       in  200 200 200 200 200 200 200 200
GET  /prefixes/export.xyz                         in  404 404 404 404 404 404 404 404
GET  /prefixes/{prefix}/export.csv                in  200 200 404 404 404 404 200 200
GET  /prefixes/{prefix}/export.xyz                in  404 404 404 404 404 404 404 404
"""


class Row(NamedTuple):
    """What everybody gets for one method and path."""

    method: str
    path: str
    cells: tuple[str, ...]

    def of(self, who: str) -> str:
        """What somebody gets."""
        return self.cells[ROLES.index(who)]

    def is_here(self, world: World) -> bool:
        """Whether a world has what the row is about."""
        own = (*OWN, *NAAN_REQUESTS, *GIVEN_NAMES)
        return not any(f"{{{name}}}" in self.path for name in own if name not in world.numbers)

    @property
    def who_may(self) -> list[str]:
        """Those who get what they ask for."""
        return [who for who in ROLES if self.of(who) in _GIVEN]

    @property
    def askers(self) -> list[str]:
        """Those who are worth asking: where all are answered alike, three of them.

        The page of a request has other forms for everybody, though all of them get it.
        """
        is_story = self.path.startswith("/requests/{") and self.path.endswith("}")
        alike = len(set(self.cells)) == 1 and not is_story
        return [ROLES[0], ROLES[1 + len(self.path) % 6], "operator"] if alike else list(ROLES)


ROWS = [
    Row(method, path, tuple(cells))
    for method, path, *cells in (line.split() for line in TABLE.splitlines() if line)
]


# A file of names as the page of its preview carries it.
NAME_FILE = b64encode(
    compress(b"name,target\nark:24680/w8b,https://wombat.example/b\nark:99999/x1,\n")
).decode()
CORRECTED = {"lock_version": "1", "reason": "It was misspelt."}

FIELDS: dict[str, dict[str, str]] = {
    "sign_in.ask": {"email": "somebody@org.example"},
    "registrant.start": {"registry": FORMAL.id},
    "template_upload.read": {"text": "Purpose: to try it."},
    "template_upload.draft": {"text": "Purpose: to try it.", "registry": FORMAL.id},
    "registrant.save": {"registrant": "Quokka Society", "organization": "Quokkas"},
    "requests.act": {"reason": "Because.", "rule": "answer-missing"},
    "corrections.note_dispute": {
        "kind": "dispute",
        "court": "https://court.example/7",
        "lock_version": "1",
    },
    "corrections.settle_dispute": {
        "place": "0",
        "by": "A court",
        "outcome": "Dismissed.",
        "effect": "It stands.",
        "decision": "https://court.example/8",
        "decided": "2026-09-01",
        "lock_version": "3",
    },
    "profile_corrections.change_profile": {
        "names": "printed books",
        "reason": "It was wide.",
        "lock_version": "1",
    },
    "mail.paste": {"message": "From: a@b.example\nSubject: Hello\n\nWho are you?\n"},
    "mail.place": {"number": "2"},
    "discussion.say": {"comment": "What of old names?"},
    "discussion.change": {"comment": "What of very old names?"},
    "discussion.choose": {"news": "y"},
    "notes.note": {"note": "Ask them by telephone."},
    "notes.keep": {"title": "Missing", "body": "Something is missing."},
    "notes.remove": {"title": "Thanks"},
    "experts.say": {
        "organization": "Quokkas",
        "interest": "Wombats",
        "first": "2027-01-01",
        "last": "2027-01-31",
    },
    "experts.appoint": {
        "email": "new@experts.example",
        "decision": "Decision 8",
        "role": "expert",
        "registry": "",
    },
    "experts.dismiss": {"decision": "Decision 9"},
    "organizations.add": {
        "name": "Numbat Institute",
        "since": "2020-01-01",
        "decision": "Decision 1",
        "reference": "https://numbats.example/",
    },
    "organizations.change": {"email": "speaker@numbats.example", "reason": "It is gone."},
    "review.send": {"verdict": "approve", "reason": "It is fine.", "iteration": "1"},
    "desk.register": {"reference": "RFC 8141", "reason": "They are who they say."},
    "delegates.change_people": {"address": "new@org.example", "person": "1"},
    "delegates.change_people_of_request": {"address": "new@org.example"},
    "delegates.ask": {"shown": "I am on their board."},
    "delegates.ask_transfer": {
        "organization": "Wombats",
        "address": "w@wombat.example",
        "reason": "They merged.",
    },
    "delegates.stop_transfer": {"reason": "It is ours."},
    "yearly_questions.answer_question": {"answer": "stands"},
    "claims.decide": {"decision": "refuse", "reason": "Nobody knows them there."},
    "corrections.correct_name": CORRECTED | {"date": "2001-01-01"},
    "corrections.correct_head": CORRECTED | {"lock_version": "3", "notes": "A note."},
    "corrections.add_person": CORRECTED | {"id": "Jane_Doe", "name": "Jane Doe"},
    "corrections.correct_person": CORRECTED | {"org": "Quokkas"},
    "prefixes.add": {"prefix": "ark:24680/w9", "numbering": "reedeedk"},
    "prefixes.examples": {"prefix": "ark:24680/w9", "numbering": "reedeedk"},
    "prefixes.change": {"label": "Boats", "numbering": "reedeedk", "lock_version": "1"},
    "prefixes.end": {"reason": "It is full."},
    "prefixes.look_at_end": {"reason": "It is full."},
    "prefixes.add_person": {"email": "ellis@experts.example", "until": "2030-01-31"},
    "assigned_names.mint": {"count": "2"},
    "assigned_names.choose": {"rest": "chosen"},
    "assigned_names.change_name": {
        "target": "https://wombat.example/a",
        "what": "A boat",
        "redirect": "302",
        "lock_version": "1",
    },
    "assigned_names.withdraw": {"reason": "It sank.", "lock_version": "1"},
    "found_names.move": {
        "begins": "https://wombat.example/",
        "instead": "https://quokka.example/",
        "lock_version": _NAMES_SEEN,
    },
    "found_names.look": {"reason": "They sank.", "lock_version": _NAMES_SEEN},
    "found_names.withdraw": {"reason": "They sank.", "lock_version": _NAMES_SEEN},
    "name_files.preview": {"carried": NAME_FILE},
    "name_files.bring_in": {"carried": NAME_FILE},
}


# The views of namespaces serve NAANs and shoulders too; a name that was taken over is of version 1.
FIELDS |= {
    endpoint.replace(".", ".naan-"): given
    for endpoint, given in FIELDS.items()
    if endpoint.startswith(("delegates.", "yearly_questions."))
    or endpoint == "corrections.note_dispute"
}
FIELDS["yearly_questions.naan-answer_question"] = FIELDS["yearly_questions.answer_question"]
FIELDS["corrections.naan-correct_name"] = CORRECTED | {"date": "2001-01-01"}
for _kind in ("naan", "shoulder"):
    FIELDS[f"registrant.save/{_kind}/registrant"] = {
        "organization": "Quokkas",
        "organization_kind": "NP",
        "web_address": "https://quokka.example/",
        "naan_contact": "Quentin",
        "naan_address": "quentin@quokka.example",
    }
FIELDS["corrections.naan-settle_dispute"] = FIELDS["corrections.settle_dispute"] | {
    "lock_version": "1"
}


class Route(NamedTuple):
    """What answers a row; ``place`` is what it is called in the table of places."""

    rule: str
    endpoint: str
    number: int | None
    name: str
    place: str


def route_of(world: World, row: Row) -> Route | None:
    """The rule that a row is about; None where there is none, so that the row says 404."""
    path = world.path(row.path).partition("?")[0]
    try:
        rule, values = world.app.url_map.bind("").match(path, row.method, return_rule=True)
    except NotFound:
        return None
    number = values.get("number")
    place = place_of(world, rule.endpoint, number, str(values.get("section", "")))
    return Route(rule.rule, rule.endpoint, number, values.get("name", ""), place)


def place_of(world: World, endpoint: str, number: int | None, section: str) -> str:
    """What a route is called in the table of places.

    The pages of a form have fields of their own in each registry beside that of namespaces.
    """
    asked = (name for name in NAAN_REQUESTS if number and world.numbers.get(name) == number)
    kind = next(asked, "").partition("_")[0]
    return f"{endpoint}/{kind}/{section}" if kind and endpoint == "registrant.save" else endpoint


def form_for(world: World, row: Row) -> dict[str, str]:
    """What a page of this site would send."""
    route = route_of(world, row)
    if route is None:
        return {}
    given = FIELDS.get(route.place) or FIELDS.get(route.endpoint, {})
    fields = given | {"key": factories.key()}
    if route.name == "13579" and "naan_invited" in world.numbers:
        fields |= {"person": str(world.numbers["naan_invited"])}
    with world.app.app_context(), read_transaction():
        request = request_rows.find_request(route.number) if route.number else None
        if request is not None:
            saving = route.endpoint == "registrant.save"
            seen = draft_rows.get_draft(request.number) if saving else request
            fields["lock_version"] = str(seen.lock_version)
            fields["iteration"] = str(request.iterations)
            fields["sending"] = "submit" if request.state == "draft" else "resubmit"
        if route.endpoint.startswith(("delegates.", "yearly_questions.")):
            fields["lock_version"] = str(_seen(route))
    return fields


def _seen(route: Route) -> int:
    """What the page of those who act was made from: the last thing that happened."""
    if route.endpoint == "delegates.take_newer" and route.number:
        return draft_rows.get_draft(route.number).lock_version
    naan_space = SHOULDER_SPACE if "/" in route.name else NAAN_SPACE
    is_naan = ".naan-" in route.endpoint
    held = delegate_rows.find_name(naan_space if is_naan else URN_SPACE, route.name)
    return delegate_rows.last_event(held or delegate_rows.DelegateScope(request=route.number))


def ask(visitor: Visitor, world: World, row: Row, expected: str = "200") -> Page:
    """The answer that somebody gets; where a refusal is expected, without a page around it."""
    path, headers = world.path(row.path), _AS_PROGRAM if expected.startswith("4") else {}
    if row.method == "POST":
        return visitor.post(path, form_for(world, row), headers=headers)
    return visitor.get(path, headers=headers)


def cell(page: Page) -> str:
    """An answer as the table says it."""
    is_led = page.status == HTTPStatus.SEE_OTHER and page.location.partition("?")[0] == "/sign-in"
    is_asked = page.status == HTTPStatus.UNAUTHORIZED and "WWW-Authenticate" in page.headers
    return SIGN_IN if is_led or is_asked else str(page.status)


def one_of_each(world: World, method: str) -> list[tuple[Row, Route]]:
    """One row of each place: the first that somebody is let in by, or else the first."""
    found: dict[str, tuple[Row, Route]] = {}
    for row in ROWS:
        route = route_of(world, row) if row.method == method and row.is_here(world) else None
        if route is None:
            continue
        known = found.get(route.place)
        if known is None or (row.who_may and not known[0].who_may):
            found[route.place] = row, route
    return list(found.values())
