import os
import secrets
from typing import Annotated

from fastapi import APIRouter, FastAPI, HTTPException, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException as StarletteHTTPException

import store
from models import Error, NewPet, Pet, PetStatus

API_KEY = os.environ["API_KEY"]

CODES = {400: "invalid_request", 404: "not_found"}

app = FastAPI(title="Pet Store", version="1.0.0")


def error_response(status: int, code: str, message: str, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse(Error(code=code, message=message, status=status).model_dump(), status, headers)


@app.middleware("http")
async def require_api_key(request: Request, call_next):
    """A dependency would run only after the body has been parsed."""
    sent = request.headers.get("Authorization", "")
    if not secrets.compare_digest(sent.encode(), f"Bearer {API_KEY}".encode()):
        return error_response(401, "unauthorized", "A valid API key is required", {"WWW-Authenticate": "Bearer"})
    return await call_next(request)


@app.exception_handler(RequestValidationError)
async def invalid_request(request: Request, error: RequestValidationError):
    problems = [f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}" for problem in error.errors()]
    return error_response(400, CODES[400], "; ".join(problems))


@app.exception_handler(StarletteHTTPException)
async def http_error(request: Request, error: StarletteHTTPException):
    code = CODES.get(error.status_code, f"http_{error.status_code}")
    return error_response(error.status_code, code, str(error.detail), error.headers)


router = APIRouter(prefix="/v1", responses={401: {"model": Error}})


@router.get("/pets", operation_id="listPets", response_model_exclude_none=True)
def list_pets(
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    status: PetStatus | None = None,
) -> list[Pet]:
    return store.select(limit, status)


@router.post(
    "/pets",
    operation_id="createPet",
    status_code=201,
    responses={400: {"model": Error}},
    response_model_exclude_none=True,
)
def create_pet(new_pet: NewPet) -> Pet:
    return store.add(new_pet)


@router.get(
    "/pets/{pet_id}",
    operation_id="getPet",
    deprecated=True,
    responses={404: {"model": Error}},
    response_model_exclude_none=True,
)
def get_pet(pet_id: int) -> Pet:
    pet = store.find(pet_id)
    if pet is None:
        raise HTTPException(status_code=404, detail=f"Pet {pet_id} does not exist")
    return pet


app.include_router(router)
