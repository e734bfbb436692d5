import { type CanActivate, type ExecutionContext, HttpException, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { refusalOf, type Requirements, type SignedIn, type Verifier } from 'portico/server';

export const VERIFIER = Symbol('VERIFIER');

/** What a route requires beyond a signed-in user. */
export const Requires = Reflector.createDecorator<Requirements>();

/** A route for everybody. */
export const Public = Reflector.createDecorator<void, true>({ transform: () => true });

export type SignedInRequest = Request & { auth: SignedIn };

/** Continues with a signed-in user as `request.auth`, or answers 401, 403 or 503. */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    @Inject(VERIFIER) private readonly verifier: Verifier,
    @Inject(Reflector) private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const route = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride(Public, route)) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<SignedInRequest>();
    const response = http.getResponse<Response>();
    const who = await this.verifier.authenticateRequest(request, this.reflector.getAllAndOverride(Requires, route));
    response.set('Cache-Control', 'private, no-cache');
    if (who.status === 'signed-in') {
      request.auth = who;
      return true;
    }
    const { status, headers, body } = refusalOf(who);
    response.set(headers);
    throw new HttpException(body, status);
  }
}
