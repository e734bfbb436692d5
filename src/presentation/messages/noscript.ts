import type { Language } from '#domain/widget/language.ts';

/** The sentence of a prerendered login for browsers without JavaScript. */
export const NO_SCRIPT: Readonly<Record<Language, string>> = {
  en: 'Signing in needs JavaScript. Turn it on in your browser, then reload this page.',
  de: 'Die Anmeldung benötigt JavaScript. Schalten Sie es im Browser ein und laden Sie diese Seite neu.',
  es: 'Para iniciar sesión se necesita JavaScript. Actívalo en tu navegador y vuelve a cargar esta página.',
  fr: 'La connexion nécessite JavaScript. Activez-le dans votre navigateur, puis rechargez cette page.',
  ja: 'ログインには JavaScript が必要です。ブラウザーで有効にしてから、このページを再読み込みしてください。',
  ar: 'يتطلب تسجيل الدخول تشغيل JavaScript. شغّله في متصفحك ثم أعد تحميل هذه الصفحة.',
  pt: 'Para entrar, é preciso ter JavaScript. Ative-o no navegador e recarregue esta página.',
  zh: '登录需要 JavaScript。请在浏览器中启用它，然后重新加载此页面。',
};

/** The same for the other widgets, which people use when they are signed in, or before that. */
export const NO_SCRIPT_PAGE: Readonly<Record<Language, string>> = {
  en: 'This page needs JavaScript. Turn it on in your browser, then reload this page.',
  de: 'Diese Seite benötigt JavaScript. Schalten Sie es im Browser ein und laden Sie die Seite neu.',
  es: 'Esta página necesita JavaScript. Actívalo en tu navegador y vuelve a cargarla.',
  fr: 'Cette page nécessite JavaScript. Activez-le dans votre navigateur, puis rechargez-la.',
  ja: 'このページには JavaScript が必要です。ブラウザーで有効にしてから、このページを再読み込みしてください。',
  ar: 'تتطلب هذه الصفحة تشغيل JavaScript. شغّله في متصفحك ثم أعد تحميلها.',
  pt: 'Esta página precisa de JavaScript. Ative-o no navegador e recarregue-a.',
  zh: '此页面需要 JavaScript。请在浏览器中启用它，然后重新加载此页面。',
};
