"""The names of URI schemes that IANA has registered, by August 2026, in lower case; and texts that
only look as if they began with one: ``аrk:``, ``ark：``."""

import unicodedata
from typing import NamedTuple

from app.identifiers.errors import OTHER_SCRIPTS, spell_character

# Of other scripts; what is a colon in another width becomes one by NFKC.
_COLONS = str.maketrans(dict.fromkeys("\u02d0\u02f8\u0589\u05c3\u2236\ua789", ":"))
_NAMES = """
aaa aaas about acap acct acd acr adiumxtra adt aet afp afs agtp aim amss android appdata apt
ar ari ark at attachment aw barion bb beshare bitcoin bitcoincash bl blob bluetooth bolo
brid browserext cabal caip calculator callto cap cast casts chrome chrome-extension cid cm
coap coap+tcp coap+ws coaps coaps+tcp coaps+ws com-eventbrite-attendee content content-type
crid cstr cttps cvs dab dat data dav dhttp diaspora dict did dilithium3 dis
dlna-playcontainer dlna-playsingle dnp dns dntp doi donau dpp drm drop dtmi dtn dvb dvx dweb
ed2k eid elsi embedded ens esim ethereum example ez facetime fax feed feedready fido file
filesystem finger first-run-pen-experience fish fm ftp fuchsia-pkg gcx gdsi geo gg git
gitoid gizmoproject go gopher graph grd gtalk h323 ham hcap hcp hs20 http https hxxp hxxps
hydrazone hyper i0 iax ibi ibi- icap icon ilstring im imap info interaction iotdisco ipfs
ipn ipns ipp ipps irc irc6 ircs iris iris.beep iris.lwz iris.xpc iris.xpcs isostore itms
jabber jar jms keyparc lastfm lbry ldap ldaps leaptofrogans lid linkid lorawan lpa lvlt
machineprovisioningprogressreporter magnet mailserver mailto maps market matrix mdoc
mdoc-openid4vp message microsoft.windows.camera microsoft.windows.camera.multipicker
microsoft.windows.camera.picker mid mms modem mongodb moz mqtt mqtts ms-access
ms-appinstaller ms-browser-extension ms-calculator ms-drive-to ms-enrollment ms-excel
ms-eyecontrolspeech ms-gamebarservices ms-gamingoverlay ms-getoffice ms-help ms-infopath
ms-inputapp ms-launchremotedesktop ms-lockscreencomponent-config ms-media-stream-id
ms-meetnow ms-mixedrealitycapture ms-mobileplans ms-newsandinterests ms-officeapp ms-people
ms-personacard ms-powerpoint ms-project ms-publisher ms-recall ms-remotedesktop
ms-remotedesktop-launch ms-restoretabcompanion ms-screenclip ms-screensketch ms-search
ms-search-repair ms-secondary-screen-controller ms-secondary-screen-setup ms-settings
ms-settings-airplanemode ms-settings-bluetooth ms-settings-camera ms-settings-cellular
ms-settings-cloudstorage ms-settings-connectabledevices ms-settings-displays-topology
ms-settings-emailandaccounts ms-settings-language ms-settings-location ms-settings-lock
ms-settings-nfctransactions ms-settings-notifications ms-settings-power ms-settings-privacy
ms-settings-proximity ms-settings-screenrotation ms-settings-wifi ms-settings-workplace
ms-spd ms-stickers ms-sttoverlay ms-transit-to ms-useractivityset ms-uup ms-virtualtouchpad
ms-visio ms-walk-to ms-whiteboard ms-whiteboard-cmd ms-widgetboard ms-widgets ms-word msnim
msrp msrps mss mt mtqp mtrust mumble mupdate musik mvn mvrp mvrps news nfs ni nih nntp nostr
notes npamp num ocf oid onenote onenote-cmd opaquelocktoken openid openpgp4fpr otpauth p1
pack palm paparazzi payment payto pkcs11 pkg platform pop pres prospero proxy psyc pttp pwid
qb query quic-transport redis rediss reload res resource rmi rsync rtmfp rtmp rtsp rtsps
rtspu sarif secondlife secret-token service session sftp sgn shc shelter shttp sieve
simpleledger simplex sip sips skype smb smp sms smtp snews snmp soap.beep soap.beeps soldat
spacify spiffe spotify ssb ssh sss starknet steam stun stuns submit svn swh swid swidpath
tag taler teamspeak teapot teapots tel teliaeid telnet tftp things thismessage thzp tip
tn3270 tool tttps turn turns tv udp unreal upn upt urn ust ut2004 uuaid uuid-in-package
v-event vemmi ventrilo ves videotex view-source vnc vscode vscode-insiders vsls w3 wais wasm
wasm-js wcr web+ap web+interaction web3 webcal wifi wpid ws wss wtai wyciwyg xcompute xcon
xcon-userid xfire xftp xmlrpc.beep xmlrpc.beeps xmpp xrcp xri ymsgr z39.50 z39.50r z39.50s
ztdnaid
"""

URI_SCHEMES = frozenset(_NAMES.split())


class SchemeLookAlike(NamedTuple):
    """The first character of a scheme that is another than it looks like.

    ``expected`` is what should stand there, empty for a character that nobody sees and that should
    not stand there at all; ``end`` is where the text goes on behind the colon.
    """

    position: int
    character: str
    expected: str
    end: int


def find_scheme_look_alike(text: str, scheme: str) -> SchemeLookAlike | None:
    """Where a text only looks as if it began with a scheme and a colon; None where it does begin
    so, in either case, or does not even look so.

    Source: The ARK URI scheme section 8.1; UTS #39, Unicode Security Mechanisms.
    """
    if text[: len(scheme) + 1].isascii():
        return None
    first: tuple[int, str] | None = None
    place = 0
    for expected in f"{scheme}:":
        while place < len(text) and _is_unseen(text[place]):
            first, place = first or (place, ""), place + 1
        character = text[place : place + 1]
        if not character or _plain(character) != expected:
            return None
        if not character.isascii():
            first = first or (place, expected)
        place += 1
    return SchemeLookAlike(first[0], text[first[0]], first[1], place) if first else None


def with_plain_scheme(text: str, scheme: str) -> str:
    found = find_scheme_look_alike(text, scheme)
    return f"{scheme}:{text[found.end :]}" if found else ""


def look_alike_sentence(found: SchemeLookAlike, scheme: str) -> str:
    """What is wrong with the scheme, for people."""
    spelled = spell_character(found.character)
    if not found.expected:
        return f"`{scheme}:` contains {spelled}, which is invisible. Remove it."
    return (
        f"The character that looks like {spell_character(found.expected)} in `{scheme}:` "
        f"is {spelled}. Type `{scheme}:` in ASCII."
    )


def _plain(character: str) -> str:
    whole = unicodedata.normalize("NFKC", character).lower()
    return whole.translate(OTHER_SCRIPTS).translate(_COLONS)


def _is_unseen(character: str) -> bool:
    return unicodedata.category(character) == "Cf"
