import { IsEnum, IsNotEmpty, IsString, ValidateIf } from 'class-validator';
import { PetStatus } from '../pet.interface.js';
import { IsInt64 } from './is-int64.js';

export class CreatePetDto {
  @IsString()
  @IsNotEmpty()
  name: string;

  @IsInt64()
  categoryId: bigint;

  // IsOptional would let null pass, too.
  @ValidateIf((_pet, value) => value !== undefined)
  @IsEnum(PetStatus)
  status?: PetStatus;
}
