import {
  type ArgumentMetadata,
  BadRequestException,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import type { Response } from 'express';
import { parse, parseNumberAndBigInt, stringify } from 'lossless-json';
import { map, type Observable } from 'rxjs';

/** Integers become bigints: JSON.parse keeps only 53 bits of an int64. */
@Injectable()
export class ParseJsonPipe implements PipeTransform {
  transform(value: unknown, { type }: ArgumentMetadata): unknown {
    if (type !== 'body') {
      return value;
    }
    const body = typeof value === 'string' ? parseOrUndefined(value) : undefined;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new BadRequestException('The body must be a JSON object');
    }
    return body;
  }
}

function parseOrUndefined(text: string): unknown {
  try {
    return parse(text, null, parseNumberAndBigInt);
  } catch {
    return undefined;
  }
}

@Injectable()
export class StringifyInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    context.switchToHttp().getResponse<Response>().type('application/json');
    return next.handle().pipe(map((body) => stringify(body)));
  }
}
