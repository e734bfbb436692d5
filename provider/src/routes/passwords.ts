import type { Routes } from '../http/endpoints.ts';
import { notYet } from './not-yet.ts';

export const passwords: Routes['passwords'] = {
  create: notYet,
  authenticate: notYet,
  resetByEmailStart: notYet,
  resetByEmail: notYet,
  resetByExistingPassword: notYet,
  resetBySession: notYet,
  strengthCheck: notYet,
};
