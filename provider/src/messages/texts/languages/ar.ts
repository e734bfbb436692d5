import type { MessageTexts } from '../message-texts.ts';

/** Arabic: modern standard, worded so that no number needs a plural form. */
export const ar: MessageTexts = {
  passcode: {
    subject: '{code} هو رمز المرور الخاص بك في {project}',
    lead: 'رمز المرور الخاص بك في {project} هو {code}.',
    intro: {
      login_passcode: 'أدخل هذا الرمز لتسجيل الدخول إلى {project}.',
      signup_passcode: 'أدخل هذا الرمز لإنشاء حساب في {project}.',
      confirm_passcode: 'أدخل هذا الرمز لإضافة هذا العنوان إلى حسابك في {project}.',
    },
    short: 'رمز المرور الخاص بك في {project} هو {code}.',
    warning: 'لا تشارك هذا الرمز مع أي شخص.',
  },
  links: {
    login_link: {
      subject: 'رابط تسجيل الدخول إلى {project}',
      lead: 'افتح هذا الرابط لتسجيل الدخول إلى {project}:',
      heading: 'تسجيل الدخول إلى {project}',
      intro: 'اضغط على الزر لتسجيل الدخول.',
      button: 'تسجيل الدخول',
    },
    signup_link: {
      subject: 'رابط إنشاء حسابك في {project}',
      lead: 'افتح هذا الرابط لإنشاء حساب في {project}:',
      heading: 'إنشاء حساب في {project}',
      intro: 'اضغط على الزر لإنشاء حسابك.',
      button: 'إنشاء حساب',
    },
    invite_link: {
      subject: 'لديك دعوة إلى {project}',
      lead: 'افتح هذا الرابط لقبول دعوتك إلى {project}:',
      heading: 'لديك دعوة إلى {project}',
      intro: 'اضغط على الزر لقبول الدعوة.',
      button: 'قبول الدعوة',
    },
    confirm_link: {
      subject: 'أكّد عنوان بريدك الإلكتروني في {project}',
      lead: 'افتح هذا الرابط لإضافة هذا العنوان إلى حسابك في {project}:',
      heading: 'تأكيد عنوان بريدك الإلكتروني',
      intro: 'اضغط على الزر لإضافة هذا العنوان إلى حسابك في {project}.',
      button: 'تأكيد العنوان',
    },
    reset_password: {
      subject: 'تعيين كلمة مرور جديدة في {project}',
      lead: 'افتح هذا الرابط لتعيين كلمة مرور جديدة في {project} (مدة الصلاحية: {duration}):',
      heading: 'تعيين كلمة مرور جديدة',
      intro: 'اضغط على الزر لتعيين كلمة مرور جديدة في {project}.',
      button: 'تعيين كلمة مرور جديدة',
    },
  },
  refusal: {
    subject: 'لا يوجد حساب في {project} بهذا العنوان',
    heading: 'لا يوجد حساب بهذا العنوان',
    intro:
      'حاول شخص ما، وقد تكون أنت، تسجيل الدخول إلى {project} بهذا العنوان. لا يوجد حساب بهذا العنوان، ولا يمكن إنشاء حساب به.',
    advice: 'إذا كان لديك حساب، فسجّل الدخول بعنوانه. وإلا فاطلب دعوة من {project}.',
  },
  instead: {
    lead: 'أو سجّل الدخول من دون كلمة مرور (مدة الصلاحية: {duration}):',
    label: 'تسجيل الدخول من دون كلمة مرور',
    validity: 'يعمل كل رابط مرة واحدة فقط.',
  },
  validity: 'يعمل مرة واحدة فقط. مدة الصلاحية: {duration}.',
  ignore: 'إذا لم تطلب ذلك، فتجاهل هذه الرسالة.',
  ignoreReset: 'إذا لم تطلب ذلك، فتجاهل هذه الرسالة. لم تتغير كلمة مرورك.',
  ignoreInvitation: 'إذا لم تكن تتوقع هذه الدعوة، فتجاهل هذه الرسالة.',
  requestNote: 'وقت الطلب: {time}، الجهاز: {device}.',
  askedAt: 'وقت الطلب: {time}.',
  copyLink: 'إذا لم يعمل الزر، فانسخ هذا العنوان إلى متصفحك:',
};
