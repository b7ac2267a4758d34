from enum import Enum

from pydantic import BaseModel


class PetStatus(str, Enum):
    available = "available"
    pending = "pending"
    sold = "sold"


class NewPet(BaseModel):
    name: str
    categoryId: int
    status: PetStatus | None = None


class Pet(NewPet):
    id: int


class Error(BaseModel):
    code: str
    message: str
    status: int
