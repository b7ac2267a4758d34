from rest_framework import exceptions
from rest_framework.views import exception_handler as default_handler


def exception_handler(error, context):
    """Gives every error of the framework the fields code, message and status."""
    if isinstance(error, RecursionError):
        # Nested deeper than Python's parser can follow.
        error = exceptions.ParseError("The body is nested too deep")
    response = default_handler(error, context)
    if response is None:
        return None
    detail = getattr(error, "detail", "")
    code = "invalid_value" if isinstance(error, exceptions.ValidationError) else getattr(detail, "code", "not_found")
    response.data = {"code": code, "message": describe(detail) or "Not found.", "status": response.status_code}
    return response


def describe(detail):
    if isinstance(detail, dict):
        return "; ".join(f"{field}: {describe(problems)}" for field, problems in detail.items())
    if isinstance(detail, list):
        return " ".join(describe(problem) for problem in detail)
    return str(detail)
