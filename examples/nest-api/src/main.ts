/** The API, on a separate origin. */
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { createVerifier } from 'portico/server';
import { AuthGuard, VERIFIER } from './auth.js';
import { NotesController } from './notes.js';

const port = Number(process.env['PORT'] ?? 8081);
const pageOrigin = process.env['PAGE_ORIGIN'] ?? 'http://localhost:8080';

// The local provider and its own project, unless the environment names others.
const verifier = createVerifier({
  projectId: process.env['PORTICO_PROJECT_ID'] ?? 'project-test-d1e70000-0000-4000-8000-000000000000',
  apiUrl: process.env['PORTICO_API_URL'] ?? 'http://localhost:4100',
  publicToken: process.env['PORTICO_PUBLIC_TOKEN'] ?? 'public-token-test-d1e70000-0000-4000-8000-000000000000',
  origins: [pageOrigin],
});

// As APP_GUARD it checks every route of the app, so that a new one is not open by mistake.
@Module({
  controllers: [NotesController],
  providers: [
    { provide: VERIFIER, useValue: verifier },
    { provide: APP_GUARD, useClass: AuthGuard },
  ],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });

// Scripts of this origin alone may send the header and read the answers.
app.enableCors({ origin: [pageOrigin], methods: ['GET', 'PUT'], allowedHeaders: ['authorization', 'content-type'] });

await app.listen(port, 'localhost');
console.log(`Listening on http://localhost:${port}`);
