import { Ajv } from 'ajv';

const int64 = {
  keyword: 'int64',
  validate: (_schema, value) => typeof value === 'bigint' && BigInt.asIntN(64, value) === value,
  error: { message: 'must be an integer of 64 bits' },
};

// A query string has only text, so its values are converted; the values of a JSON body have types of their own.
const converting = new Ajv({ coerceTypes: true, useDefaults: true, keywords: [int64] });
const strict = new Ajv({ keywords: [int64] });

export const validatorCompiler = ({ schema, httpPart }) => (httpPart === 'body' ? strict : converting).compile(schema);
