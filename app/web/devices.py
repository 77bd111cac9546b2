"""What a browser says of itself, in two words: enough for somebody to know their own again."""

_LONGEST = 1000
# the first that is found: browsers name those that they resemble as well
_BROWSERS = (
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "an iPhone"),
    ("iPad", "an iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "a Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def device_of(user_agent: str) -> str:
    """Which browser on which system; no version, which changes every month."""
    text = user_agent[:_LONGEST]
    browser = next((name for mark, name in _BROWSERS if mark in text), "Another program")
    system = next((name for mark, name in _SYSTEMS if mark in text), "")
    return f"{browser} on {system}" if system else browser
