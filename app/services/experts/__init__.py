"""Who decides: appointments to panels, absences and interests, the assignment of requests,
independence from a request, and recognized organizations.
"""
