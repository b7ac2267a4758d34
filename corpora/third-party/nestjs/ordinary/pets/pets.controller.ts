import { Body, Controller, Get, NotFoundException, Param, ParseIntPipe, Post, Query } from '@nestjs/common';
import { CreatePetDto } from './dto/create-pet.dto.js';
import { ListPetsDto } from './dto/list-pets.dto.js';
import type { Pet } from './pet.interface.js';
import { PetsService } from './pets.service.js';

@Controller('pets')
export class PetsController {
  constructor(private readonly petsService: PetsService) {}

  @Get()
  findAll(@Query() query: ListPetsDto): Pet[] {
    return this.petsService.findAll(query);
  }

  @Post()
  create(@Body() createPetDto: CreatePetDto): Pet {
    return this.petsService.create(createPetDto);
  }

  @Get(':petId')
  findOne(@Param('petId', ParseIntPipe) petId: number): Pet {
    const pet = this.petsService.findOne(petId);
    if (!pet) {
      throw new NotFoundException(`Pet ${petId} does not exist`);
    }
    return pet;
  }
}
