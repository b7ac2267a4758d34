import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';

@Injectable()
export class ApiKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest();
    const [type, key] = request.headers.authorization?.split(' ') ?? [];
    if (type !== 'Bearer' || key !== process.env.API_KEY) {
      throw new UnauthorizedException();
    }
    return true;
  }
}
