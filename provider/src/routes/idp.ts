import type { Routes } from '../http/endpoints.ts';
import { notYet } from './not-yet.ts';

export const idp: Routes['idp'] = {
  authorizeStart: notYet,
  authorizeSubmit: notYet,
  logoutStart: notYet,
};
