"""What is checked and hinted at in a template that was filled in: rules over a submission, its
examples, points for reviewers.
"""
