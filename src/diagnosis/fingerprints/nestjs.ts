import type { Fingerprint } from './fingerprint.ts';

const MEMBERS = ['message,error,statusCode', 'message,statusCode', 'statusCode,message,error', 'statusCode,message'];

export const nestjs: readonly Fingerprint[] = [
  {
    product: 'NestJS',
    writer: "NestJS's exceptions layer",
    source: 'nestjs/nest, packages/common/exceptions/http.exception.ts',
    advice: 'Register a global exception filter (app.useGlobalFilters) that writes Error bodies',
    matches: ({ members }) => MEMBERS.includes(members),
  },
];
