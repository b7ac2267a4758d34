import { UnauthorizedException } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

/** A guard runs only after the body has been read, so a malformed body would be reported before a missing key. */
export function requireApiKey(request: Request, _response: Response, next: NextFunction): void {
  const valid = request.headers.authorization === `Bearer ${process.env.API_KEY}`;
  next(valid ? undefined : new UnauthorizedException('A valid API key is required'));
}
