import type { Routes } from '../http/endpoints.ts';
import { notYet } from './not-yet.ts';

export const oauth: Routes['oauth'] = {
  authenticate: notYet,
  oneTapStart: notYet,
  oneTapSubmit: notYet,
};
