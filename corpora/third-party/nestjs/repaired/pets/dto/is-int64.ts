import { ValidateBy } from 'class-validator';

export const IsInt64 = (): PropertyDecorator =>
  ValidateBy({
    name: 'isInt64',
    validator: {
      validate: (value) => typeof value === 'bigint' && BigInt.asIntN(64, value) === value,
      defaultMessage: () => '$property must be an integer of 64 bits',
    },
  });
