/** The adapters that load a script of somebody else's: few projects use any of them. */
export { GoogleOneTap } from '../../infrastructure/credentials/google-one-tap.ts';
export { DeviceTelemetryScript } from '../../infrastructure/risk/device-telemetry-script.ts';
export { RecaptchaEnterprise } from '../../infrastructure/risk/recaptcha-enterprise.ts';
export { ScriptLoader } from '../../infrastructure/risk/script-loader.ts';
