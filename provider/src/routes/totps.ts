import type { Routes } from '../http/endpoints.ts';
import { notYet } from './not-yet.ts';

export const totps: Routes['totps'] = {
  create: notYet,
  authenticate: notYet,
  recoveryCodes: notYet,
  recover: notYet,
};
