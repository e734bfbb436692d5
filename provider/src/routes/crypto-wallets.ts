import type { Routes } from '../http/endpoints.ts';
import { notYet } from './not-yet.ts';

export const cryptoWallets: Routes['cryptoWallets'] = {
  authenticateStartPrimary: notYet,
  authenticateStartSecondary: notYet,
  authenticate: notYet,
};
