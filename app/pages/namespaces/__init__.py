"""What the page of one registered name shows: its profile, its template in short, its
registrant and its timeline.
"""
