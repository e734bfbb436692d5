import type { Shape } from '#domain/shape.ts';

/** The fields of every call that can cause a message, or reveals something to strangers (specification, section 4). */
export const RISK_FIELDS = { captcha_token: 'string?', dfp_telemetry_id: 'string?' } as const satisfies Shape;
