import schemathesis


@schemathesis.hook
def map_body(context, body):
    """Writes whole numbers without a fraction: the interface does not say whether 1.0 is an integer."""
    if isinstance(body, dict) and isinstance(body.get("categoryId"), float) and body["categoryId"].is_integer():
        body["categoryId"] = int(body["categoryId"])
    return body
