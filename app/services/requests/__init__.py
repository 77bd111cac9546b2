"""A registration request from draft to decision: texts, findings, evidence, actions,
discussion, queues, and the views of it.
"""
