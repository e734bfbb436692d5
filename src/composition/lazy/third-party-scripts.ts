/** The adapters that load a third-party script. They are a separate chunk because few projects use them. */
export { GoogleOneTap } from '#infrastructure/social/google-one-tap.ts';
export { DeviceTelemetryScript } from '#infrastructure/risk/device-telemetry-script.ts';
export { RecaptchaEnterprise } from '#infrastructure/risk/recaptcha-enterprise.ts';
export { ScriptLoader } from '#infrastructure/risk/script-loader.ts';
