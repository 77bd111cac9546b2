"""What every request and every answer passes: session, form guard, headers, converters,
refusals, the frame of a page.
"""
