import os

from flask import Blueprint, Flask, abort, jsonify, request

import store

API_KEY = os.environ["API_KEY"]

bp = Blueprint("pets", __name__, url_prefix="/v1")


def error(status, code, message):
    return jsonify(code=code, message=message, status=status), status


@bp.before_request
def require_api_key():
    if request.headers.get("Authorization") != f"Bearer {API_KEY}":
        return error(401, "unauthorized", "A valid API key is required")


@bp.get("/pets")
def list_pets():
    limit = request.args.get("limit", 20, type=int)
    status = request.args.get("status")
    return jsonify(store.select(limit, status))


@bp.post("/pets")
def create_pet():
    data = request.get_json()
    for field in ("name", "categoryId"):
        if field not in data:
            return error(400, "missing_field", f"{field} is required")
    if not isinstance(data["name"], str):
        return error(400, "invalid_value", "name must be a string")
    if not isinstance(data["categoryId"], int):
        return error(400, "invalid_value", "categoryId must be an integer")
    status = data.get("status")
    if status is not None and status not in store.STATUSES:
        return error(400, "invalid_value", f"status must be one of {', '.join(store.STATUSES)}")
    return jsonify(store.add(data["name"], data["categoryId"], status)), 201


@bp.get("/pets/<int:pet_id>")
def get_pet(pet_id):
    pet = store.find(pet_id)
    if pet is None:
        abort(404, description=f"Pet {pet_id} does not exist")
    return jsonify(pet)


def create_app():
    app = Flask(__name__)
    app.register_blueprint(bp)
    return app
