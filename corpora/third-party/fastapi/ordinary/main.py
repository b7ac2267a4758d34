import os
import secrets
from typing import Annotated

from fastapi import APIRouter, Depends, FastAPI, HTTPException, Query, status
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

import store
from models import Error, NewPet, Pet, PetStatus

API_KEY = os.environ["API_KEY"]

bearer = HTTPBearer()


def require_api_key(credentials: Annotated[HTTPAuthorizationCredentials, Depends(bearer)]):
    if not secrets.compare_digest(credentials.credentials.encode(), API_KEY.encode()):
        raise HTTPException(
            status_code=status.HTTP_401_UNAUTHORIZED,
            detail={"code": "unauthorized", "message": "The API key is invalid", "status": 401},
            headers={"WWW-Authenticate": "Bearer"},
        )


app = FastAPI(title="Pet Store", version="1.0.0")

router = APIRouter(prefix="/v1", dependencies=[Depends(require_api_key)], responses={401: {"model": Error}})


@router.get("/pets", operation_id="listPets")
def list_pets(
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    status: PetStatus | None = None,
) -> list[Pet]:
    return store.select(limit, status)


@router.post("/pets", operation_id="createPet", status_code=201, responses={400: {"model": Error}})
def create_pet(new_pet: NewPet) -> Pet:
    return store.add(new_pet)


@router.get("/pets/{pet_id}", operation_id="getPet", deprecated=True, responses={404: {"model": Error}})
def get_pet(pet_id: int) -> Pet:
    pet = store.find(pet_id)
    if pet is None:
        raise HTTPException(
            status_code=404,
            detail={"code": "not_found", "message": f"Pet {pet_id} does not exist", "status": 404},
        )
    return pet


app.include_router(router)
