export enum PetStatus {
  Available = 'available',
  Pending = 'pending',
  Sold = 'sold',
}

export interface Pet {
  id: number;
  name: string;
  categoryId: number;
  status?: PetStatus;
}
