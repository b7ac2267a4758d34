import { IsEnum, IsInt, IsNotEmpty, IsOptional, IsString } from 'class-validator';
import { PetStatus } from '../pet.interface.js';

export class CreatePetDto {
  @IsString()
  @IsNotEmpty()
  name: string;

  @IsInt()
  categoryId: number;

  @IsOptional()
  @IsEnum(PetStatus)
  status?: PetStatus;
}
