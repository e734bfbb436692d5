import type { Routes } from '../http/endpoints.ts';
import { notYet } from './not-yet.ts';

export const impersonation: Routes['impersonation'] = {
  authenticate: notYet,
};
