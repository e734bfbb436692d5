import type { Routes } from '../http/endpoints.ts';
import { impersonate } from './impersonation.ts';

export const impersonation: Routes['impersonation'] = {
  authenticate: (services, { body, caller }) => impersonate(services, body.impersonation_token, caller),
};
