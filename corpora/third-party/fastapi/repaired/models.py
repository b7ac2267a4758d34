from enum import Enum
from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field


class PetStatus(str, Enum):
    available = "available"
    pending = "pending"
    sold = "sold"


def encodable(text: str) -> str:
    """Half of a surrogate pair can be parsed, but no response can carry it."""
    text.encode()
    return text


# pydantic would also take "5", true and numbers of more than 64 bits.
Int64 = Annotated[int, Field(strict=True, ge=-(2**63), le=2**63 - 1)]


class NewPet(BaseModel):
    name: Annotated[str, AfterValidator(encodable)]
    categoryId: Int64
    # May be left out, but is never null: the default is not validated, and responses leave it out.
    status: PetStatus = None


class Pet(NewPet):
    id: int


class Error(BaseModel):
    code: str
    message: str
    status: int
