import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Response } from 'express';

const codes: Record<number, string> = { 400: 'invalid_request', 401: 'unauthorized', 404: 'not_found' };

@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(exception: unknown, host: ArgumentsHost): void {
    const status = exception instanceof HttpException ? exception.getStatus() : 500;
    host
      .switchToHttp()
      .getResponse<Response>()
      .status(status)
      .json({ code: codes[status] ?? `http_${status}`, message: messageOf(exception), status });
  }
}

function messageOf(exception: unknown): string {
  if (!(exception instanceof HttpException)) {
    return 'The request failed';
  }
  const body = exception.getResponse();
  const message = typeof body === 'object' && 'message' in body ? body.message : body;
  return Array.isArray(message) ? message.join('; ') : String(message);
}
