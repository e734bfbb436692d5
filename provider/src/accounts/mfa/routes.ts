import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import type { Routes } from '../sessions/contract.ts';
import { withOwnSession } from '../sessions/current.ts';

const noStep = () => Promise.reject(new Refusal('intermediate_session_not_found'));

export const mfa: Routes['mfa'] = {
  status: noStep,
  sendCode: noStep,
  addPhone: noStep,
  trustedDevices: withOwnSession(() => Promise.resolve({ devices: [] })),
  removeTrustedDevice: withOwnSession(() => Promise.reject(new Refusal('trusted_device_not_found'))),
};
