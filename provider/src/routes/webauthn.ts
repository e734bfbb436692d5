import type { Routes } from '../http/endpoints.ts';
import { notYet } from './not-yet.ts';

export const webauthn: Routes['webauthn'] = {
  registerStart: notYet,
  register: notYet,
  authenticateStartPrimary: notYet,
  authenticateStartSecondary: notYet,
  authenticate: notYet,
  update: notYet,
};
