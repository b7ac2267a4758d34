import type { CauseRule } from '../cause.ts';
import { describeExchange } from '../describe.ts';
import { adviceFor } from './advice-for.ts';
import { statusOf } from './reads.ts';

const ADVICE: Readonly<Record<string, string>> = {
  FastAPI: 'Register @app.exception_handler(RequestValidationError) and return 400 there',
  Laravel: 'Override failedValidation of the FormRequest, or render ValidationException as 400',
  Rails: 'Render status: :bad_request in place of :unprocessable_content (before Rack 3.1 :unprocessable_entity)',
};

/** What a creation may be rejected for. */
export const REJECTIONS = [
  ...(['create.body-json', 'create.body-object', 'create.category-range', 'create.category-required', 'create.category-type'] as const),
  ...(['create.name-required', 'create.name-type', 'create.status-invalid'] as const),
] as const;

export const rejectedWith422: CauseRule = {
  id: 'rejected-with-422',
  title: 'The validator rejects with 422 where the document says 400',
  advice: (_signs, { products }) =>
    adviceFor(products, ADVICE, 'Set the status of validation errors to 400 where the validator is configured'),
  clauses: REJECTIONS,
  sign: ({ exchange }) => (exchange.method === 'POST' && statusOf(exchange) === 422 ? describeExchange(exchange) : undefined),
};
