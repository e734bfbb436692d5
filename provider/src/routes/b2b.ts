import type { Routes } from '../http/endpoints.ts';
import { notYet } from './not-yet.ts';

export const b2b: Routes['b2b'] = {
  searchMember: notYet,
};
