import { Injectable } from '@nestjs/common';
import type { CreatePetDto } from './dto/create-pet.dto.js';
import type { ListPetsDto } from './dto/list-pets.dto.js';
import { type Pet, PetStatus } from './pet.interface.js';

const names = [
  'Bella', 'Max', 'Luna', 'Charlie', 'Lucy', 'Cooper', 'Daisy', 'Milo', 'Zoe', 'Buddy',
  'Lily', 'Rocky', 'Lola', 'Bear', 'Sadie', 'Duke', 'Bailey', 'Tucker', 'Stella', 'Oliver',
  'Maggie', 'Jack', 'Chloe', 'Toby', 'Penny', 'Leo', 'Nala', 'Oscar', 'Ruby', 'Finn',
];

@Injectable()
export class PetsService {
  private readonly pets: Pet[] = [];

  constructor() {
    const statuses = Object.values(PetStatus);
    names.forEach((name, index) => {
      this.create({ name, categoryId: (index % 5) + 1, status: statuses[index % 3] });
    });
  }

  create(createPetDto: CreatePetDto): Pet {
    const pet = { id: this.pets.length + 1, ...createPetDto };
    this.pets.push(pet);
    return pet;
  }

  findAll({ limit, status }: ListPetsDto): Pet[] {
    return this.pets.filter((pet) => !status || pet.status === status).slice(0, limit);
  }

  findOne(id: number): Pet | undefined {
    return this.pets.find((pet) => pet.id === id);
  }
}
