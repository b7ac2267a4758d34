import os

from flask import Blueprint, Flask, abort, jsonify, request
from werkzeug.exceptions import HTTPException

import store

API_KEY = os.environ["API_KEY"]

bp = Blueprint("pets", __name__, url_prefix="/v1")


def error(status, code, message):
    return jsonify(code=code, message=message, status=status), status


@bp.app_errorhandler(HTTPException)
def http_error(e):
    """Flask's own pages are HTML."""
    return error(e.code, e.name.lower().replace(" ", "_"), e.description)


@bp.before_app_request
def require_api_key():
    # White space after a value is no part of it, but Flask's development server keeps it.
    if request.headers.get("Authorization", "").rstrip(" \t") != f"Bearer {API_KEY}":
        return error(401, "unauthorized", "A valid API key is required")


@bp.get("/pets")
def list_pets():
    limit = request.args.get("limit", 20, type=int)
    status = request.args.get("status")
    return jsonify(store.select(limit, status))


@bp.post("/pets")
def create_pet():
    try:
        data = request.get_json(silent=True)
    except RecursionError:
        # Nested deeper than Python's parser can follow.
        return error(400, "invalid_body", "The body is nested too deep")
    if not isinstance(data, dict):
        return error(400, "invalid_body", "The body must be a JSON object")
    for field in ("name", "categoryId"):
        if field not in data:
            return error(400, "missing_field", f"{field} is required")
    if not isinstance(data["name"], str):
        return error(400, "invalid_value", "name must be a string")
    # A bool is an int to Python, and an int has any size.
    if type(data["categoryId"]) is not int or not -(2**63) <= data["categoryId"] < 2**63:
        return error(400, "invalid_value", "categoryId must be an integer of 64 bits")
    if "status" in data and data["status"] not in store.STATUSES:
        return error(400, "invalid_value", f"status must be one of {', '.join(store.STATUSES)}")
    return jsonify(store.add(data["name"], data["categoryId"], data.get("status"))), 201


@bp.get("/pets/<int(signed=True):pet_id>")
def get_pet(pet_id):
    pet = store.find(pet_id)
    if pet is None:
        abort(404, description=f"Pet {pet_id} does not exist")
    return jsonify(pet)


def create_app():
    app = Flask(__name__)
    app.register_blueprint(bp)
    return app
