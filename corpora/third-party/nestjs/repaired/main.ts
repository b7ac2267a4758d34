import { ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { requireApiKey } from './http/api-key.middleware.js';
import { ErrorFilter } from './http/error.filter.js';
import { ParseJsonPipe, StringifyInterceptor } from './http/lossless-json.js';

async function bootstrap() {
  const app = await NestFactory.create<NestExpressApplication>(AppModule, { bodyParser: false });
  app.setGlobalPrefix('v1');
  app.use(requireApiKey);
  app.useBodyParser('text', { type: 'application/json' });
  app.useGlobalFilters(new ErrorFilter());
  app.useGlobalInterceptors(new StringifyInterceptor());
  app.useGlobalPipes(new ParseJsonPipe(), new ValidationPipe({ whitelist: true, transform: true }));
  await app.listen(process.env.PORT ?? 3000, '127.0.0.1');
}
await bootstrap();
