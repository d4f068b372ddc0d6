# ruff: noqa: RUF001 -- words of many scripts
"""The words of `core.screening`: names of secrets, and the words around them that turn their meaning.

The specification calls sensitive what grants access or authorises transactions (client/elicitation, "User
Interaction Model"): passwords, keys, tokens, payment credentials. So card numbers and one-time codes are here;
names, addresses, passport and bank account numbers are not. The social security number is here because it is
used like a password.

How a term is written, in any spelling that folds to it (accents and capitals do not count):

- `api key`    these words in a row, an English plural too; also run together when seven letters or longer
- `парол*`     words that begin so, for languages that inflect
- `~password`  also in the middle of a longer word, and in scripts without spaces
- `?token`     a common word: only where it stands last, or before a word such as "for"
- `=pass`      only when it is all that stands there
"""

from enum import StrEnum
from types import MappingProxyType
from typing import Final

__all__ = [
    "ABOUT_AFTER",
    "ABOUT_BEFORE",
    "ALTERNATIVES",
    "ASKING",
    "CONTRASTS",
    "FILLERS",
    "GENERIC",
    "GIVING",
    "HANDLING",
    "JOINERS",
    "MAKING",
    "NEGATIONS",
    "NEGATIONS_BEHIND_VERBS",
    "NOT_GIVING",
    "OTHER_MEANING",
    "RUN_ON_AFTER",
    "RUN_ON_ALTERNATIVES",
    "RUN_ON_ASKING",
    "RUN_ON_BEFORE",
    "RUN_ON_NEGATIONS",
    "RUN_ON_NOT_GIVING",
    "TERMS",
    "VERB_ENDS",
    "Kind",
]


class Kind(StrEnum):
    """Sorts of secret. The value is what a person is told."""

    PASSWORD = "a password"
    PIN = "a PIN"
    KEY = "a key"
    TOKEN = "a token"
    SECRET = "a secret"
    CARD = "payment card data"
    CODE = "a one-time code"
    PHRASE = "a recovery phrase"
    IDENTITY = "a social security number"


TERMS: Final = MappingProxyType(
    {
        Kind.PASSWORD: """
            ~password, ~passwd, ~passphrase, ~passcode, pwd, passwrd,
            =pass, =pw,
            db pass, user pass, smtp pass, mail pass, login pass, root pass, admin pass, ssh pass,
            wifi pass,
            ?credential, ?credentials, ~passwort, ~kennwort, ~losungswort, geheimwort, zugangsdaten, anmeldedaten,
            mot de passe, mots de passe, mdp, phrase secrete, ~contraseña, clave de acceso, =clave,
            palabra de paso,
            senha, palavra passe, ~wachtwoord, hasło, hasła, hasłem, şifre*, parolanız*, parolası, heslo,
            hesla,
            ~lösenord, ~adgangskode, kodeord, passord*, ~salasana, ~jelszó, jelszav*, parola contului,
            parola dvs,
            lozink*, zapork*, парол*, кодов* слов*, κωδικ* πρόσβασης, συνθηματικό,
            كلمة المرور, كلمة مرور*, كلمة السر, كلمة سر, وكلمة المرور, رمز المرور, رمز عبور, گذرواژه,
            סיסמ*, הסיסמ*,
            पासवर्ड*, कूटशब्द*, गुप्त शब्द, পাসওয়ার্ড*, கடவுச்சொல்*, پاس ورڈ, ~密码, ~密碼, ~口令,
            ~通行码, ~通行碼,
            ~パスワード, ~パスフレーズ, ~合言葉, ~비밀번호, ~패스워드, ~암호, kata sandi, kata laluan,
            mật khẩu, ~รหัสผ่าน, nenosiri
        """,
        Kind.PIN: """
            ?pin, pin code, pin number, personal identification number, geheimzahl, pin nummer, code pin,
            codigo pin,
            numero pin, código secreto, code secret, codice segreto, codice pin, pincode, kod* pin,
            pin kod*, ?пин,
            пин код*, الرقم السري, رقم سري, رمز pin, पिन नंबर, पिन कोड, ~个人识别码, ~暗証番号, 핀 번호*,
            ~개인식별번호,
            nomor pin, kode pin, mã pin
        """,
        Kind.KEY: """
            api key, ~apikey, access key, secret key, secret access key, private key, signing key, encryption key,
            decryption key,
            master key,
            service account key, service account json, wallet key, pre shared key, psk, recovery key,
            api schlüssel, geheim* schlüssel, privat* schlüssel, zugangsschlüssel, clé api, clé d api,
            clés api,
            clé privée, clé secrète, clé d accès, clave api, clave de api, clave de la api, claves api,
            clave privada,
            clave secreta, llave api, llave privada, chave api, chave de api, chave da api, chaves de api,
            chave privada, chave secreta, chave de acesso, chiave api, chiavi api, chiave privata,
            chiave segreta,
            chiave di accesso, api sleutel, privé sleutel, prive sleutel, geheime sleutel, klucz* api,
            klucz* prywatn*,
            tajn* klucz*, api anahtar*, özel anahtar*, gizli anahtar*, ключ* api, api ключ*, закрыт* ключ*,
            приватн* ключ*, секретн* ключ*, ключ* доступ*, таємн* ключ*, مفتاح api, مفتاح الـ api,
            المفتاح الخاص,
            المفتاح السري, مفتاح سري, api कुंजी, एपीआई कुंजी, निजी कुंजी, ~密钥, ~密鑰, ~金鑰, ~私钥,
            ~私鑰, ~apiキー, api キー*,
            ~秘密鍵, ~シークレットキー, ~アクセスキー, ~api키, ~비밀키, ~개인키, api 키*, 비밀 키*,
            개인 키*, kunci api, kunci rahasia,
            kunci pribadi, kunci privat, khóa api, khóa riêng, khóa bí mật
        """,
        Kind.TOKEN: """
            ?token, access token, api token, auth token, oauth token, bearer token, =bearer, session token,
            refresh token, user token, bot token, github token, gitlab token, slack token, jwt token, ?jwt,
            sas token,
            security token, authentication token, authorization token, login token, session cookie,
            auth cookie,
            ~zugriffstoken, ~zugangstoken, jeton d acces, jeton d accès, jeton d authentification,
            token d accès,
            token de acceso, token de acesso, token di accesso, ~toegangstoken, token* dostępu,
            erişim token*,
            erişim belirtec*, токен* доступ*, ?токен, رمز الوصول, رمز وصول, توكن الوصول, एक्सेस टोकन,
            ~令牌, ~存取權杖,
            ~アクセストークン, ~認証トークン, ~apiトークン, api トークン*, ~액세스토큰, 액세스 토큰*,
            인증 토큰*, token akses, token truy cập
        """,
        Kind.SECRET: """
            ?secret, client secret, api secret, app secret, webhook secret, shared secret, signing secret,
            secret value, secret word, secret code, secret pin, secret answer, security answer, maiden name,
            ~clientgeheimnis, client geheimnis, secret client, secreto del cliente, secreto de cliente,
            segredo do cliente, секрет* клиент*, ~クライアントシークレット, ~시크릿
        """,
        Kind.CARD: """
            card number, card no, cc number, =cc, =credit card, =debit card, credit card detail,
            card detail,
            credit card data, credit card info*, payment detail, cvv, cvc, cvv2, cvc2, card verification,
            card security, card expir*, card exp, expiry of card, expiration of card, ~kartennummer,
            kartenprüfnummer,
            prüfnummer der karte, numéro de carte, numéro de la carte, numéro de votre carte, cryptogramme,
            número de tarjeta, número de la tarjeta, número de tu tarjeta, número do cartão,
            número de cartão,
            numero della carta, numero di carta, numero carta, ~kaartnummer, numer* karty, kart numara*,
            номер* карт*, номер* банковск* карт*, номер* кредитн* карт*, رقم البطاقة, رقم بطاقة*,
            कार्ड नंबर, कार्ड संख्या,
            ~卡号, ~卡號, ~カード番号, ~카드번호, 카드 번호*, nomor kartu, số thẻ tín dụng, số thẻ ngân hàng
        """,
        Kind.CODE: """
            otp, totp, one time code, one time pin, =2fa, =mfa, =tan, 2fa code, mfa code, mfa token,
            verification code,
            authentication code, authorization code, authorisation code, auth code, authenticator code,
            login code,
            sign in code, security code, access code, sms code, recovery code, backup code, two factor code,
            2 factor code, digit code, digits from your phone, mtan, sms tan, ~einmalcode,
            ~bestätigungscode,
            ~sicherheitscode, ~verifizierungscode, ~authentifizierungscode, ~zugangscode, ~freigabecode,
            code de vérification, code de sécurité, code à usage unique, code de validation, code d accès,
            código de verificación, código de seguridad, código de un solo uso, código de acceso,
            código de verificação, código de segurança, código de acesso, codice di verifica,
            codice di sicurezza,
            codice otp, codice monouso, codice di accesso, ~verificatiecode, ~beveiligingscode,
            ~toegangscode,
            eenmalige code, kod* weryfikacyjn*, kod* jednorazow*, jednorazow* kod*, kod* bezpieczeństwa,
            doğrulama kod*, güvenlik kod*, tek kullanımlık, код* подтверждени*, код* из sms, код* из смс,
            одноразов* код*, код* безопасности, код* підтвердження, код* перевірки, رمز التحقق,
            رمز التأكيد, كود التحقق,
            सत्यापन कोड, ओटीपी, ~验证码, ~驗證碼, ~动态码, ~認証コード, ~確認コード, ~ワンタイム,
            ~セキュリティコード, ~인증번호, ~인증코드,
            인증 코드*, 인증 번호*, 보안 코드*, kode verifikasi, kode otp, kode keamanan, mã xác minh,
            mã xác thực, mã otp,
            mã bảo mật, url you land on, address you land on, page you land on, url you are redirected to,
            address you are redirected to, url you were redirected to, address you were redirected to
        """,
        Kind.PHRASE: """
            seed phrase, recovery phrase, secret phrase, backup phrase, mnemonic phrase, ?mnemonic,
            seed word,
            recovery word, wallet seed, wiederherstellungsphrase, wiederherstellungsschlüssel,
            phrase de récupération, frase semilla, frase de recuperación, frase semente,
            frase de recuperação,
            frase di recupero, frase seed, herstelzin, fraz* odzysk*, kurtarma ifade*, сид фраз*,
            seed фраз*,
            мнемоническ* фраз*, фраз* восстановлен*, фраз* відновлен*, عبارة الاسترداد, عبارة استرداد,
            ~助记词, ~助記詞,
            ~リカバリーフレーズ, ~シードフレーズ, ~복구문구, 복구 구문*, 시드 문구*, frasa pemulihan,
            cụm từ khôi phục
        """,
        Kind.IDENTITY: "ssn, social security number, social security no",
    }
)

OTHER_MEANING: Final = MappingProxyType(
    {
        # Words before or, for the whole field, beside a term with which it means something harmless.
        Kind.PIN: """
            gpio board arduino raspberry esp32 header connector led map drop rolling safety lapel data
            output input
            bowling clock postal postcode zip city microcontroller breadboard chip analog digital
        """,
        Kind.TOKEN: """
            progress page next previous prev continuation pagination cursor sync csrf xsrf max min stop eos
            bos pad
            special mask unk start end first last design cancellation idempotency erc20 governance crypto
            coin
            utility reward swap nft vocabulary prompt completion sentinel placeholder delimiter input output
        """,
        Kind.SECRET: "no top open trade dirty kubernetes k8s",
        Kind.CARD: """
            library id identity membership loyalty business member student health insurance sim graphics
            score report bibliotheks bibliothek kunden mitglieds 会员 会員 图书 sim卡
        """,
        Kind.CODE: "building door gate invite invitation 会議",
        Kind.PASSWORD: "lastpass keepass",
    }
)

ABOUT_AFTER: Final = """
    policy policies length size name names id ids identifier count counts counter limit limits budget type
    types kind
    expiry expiration expires expired lifetime ttl age rotation rotated format hint strength rule rules
    reset resets
    resetting recovery manager managers generator url uri link endpoint path file filename folder location
    label status
    scope scopes owner prefix suffix algorithm usage storage store vault version description provider
    source issuer
    symbol address amount balance price supply max maximum min minimum enabled protected protection change
    changes
    changed less requirement requirements days hours minutes seconds env variable var column reference ref
    arn alias
    tag tags category group window bucket per threshold ratio rate usd cost forgotten leaked
    länge richtlinie richtlinien anzahl typ ablauf zurücksetzen zurückgesetzt ändern geändert
    abgelaufen vergessen hinweis regel regeln stärke
    oublié expiré longueur olvidada caducada esquecida lengte beleid naam vergeten uzunluğu adı sayısı
    süresi politikası
    길이 정책 이름 개수 재설정 변경  nama độ panjang
"""
ABOUT_BEFORE: Final = MappingProxyType(
    {
        # English and its like need an "of" between; "user name, password" asks for both.
        "of": """
            number count amount name names id ids identifier title label length type types kind format hint
            owner
            purpose reason scope scopes description policy expiry lifetime location url link path status
            size
            email mail alias version manager nom nombre longueur type politique date longitud cantidad
            política tipo nome comprimento quantidade número numero lunghezza anzahl länge ablauf
            richtlinie naam
            lengte aantal duration validity rotation strength
        """,
        # Inflecting languages put the genitive right behind.
        "direct": """
            many long max maximum min minimum total nazwa nazwę długość liczba typ ilość название имя длина
            длину количество
            число тип срок назва назву довжина кількість термін اسم طول عدد نوع نام  jumlah nama panjang
            tên độ dài
        """,
    }
)
HANDLING: Final = """
    reset resets resetting forgot forgotten forget lost expired leaked rotate rotates rotating rotated
    revoke revokes
    revoked revoking change changing changed zurücksetzen réinitialiser changer oublié restablecer cambiar
    redefinir
    alterar reimpostare resetten zresetować сбросить сброса сменить смены змінити скинути
"""
"""Done to a secret that is there already, so that the secret itself isn't asked for."""

MAKING: Final = """
    create creates creating created generate generates generating generated delete deletes deleting remove
    removes
    removing issue issuing add adding manage managing store stored show erstellen löschen
    créer supprimer crear eliminar criar excluir creare eliminare utwórz usuń создать удалить создания
    удаления
"""
"""Done to keys, tokens and stored secrets. "Create a password" is a sign-up and asks for one."""

FILLERS: Final = """
    the a an your my our his her their this that these new old any all each s user users current existing
    account
    la le les el los las il lo i gli o os as der die das dem den ihr ihres ihrer dein dein un une una uno
    um uma het een
    mein votre ton tu su seu sua tuo suo
"""
JOINERS: Final = """
    of for to in with behind about de del du des d di della dello dell delle da do das dos der van von voor
    fur für por
    para zum zur pour per
"""
NEGATIONS: Final = """
    no not never without dont cannot nicht kein keine keinen ohne niemals ne pas jamais sans sin nunca sem
    não senza non
    mai niet geen zonder nooit nie bez не без никогда ніколи t بدون لا tanpa jangan không đừng chớ न नहीं मत
"""
NEGATIONS_BEHIND_VERBS: Final = "nicht kein keine keinen keinerlei niemals nie niet geen nooit pas jamais"
"""Those that follow the verb they deny: "geben Sie nicht", "n'entrez pas", and "Passwort nicht eingeben"."""
VERB_ENDS: Final = "ein an in mit weiter"
"""What may follow a no at the end of a sentence: the rest of a verb that was taken apart."""
GIVING: Final = """
    include including disclose reveal expose post use
    verwenden verwende teilen teile partagez communiquez mettez saisie
    introducir ingresar escribas escriba compartas comparta incluya compartilhe inclua condividere
    gebruik deel wpisuj wpisywać podawaj wprowadzaj
    вводите указывайте сообщайте отправляйте пишите передавайте вводьте вказуйте надсилайте повідомляйте
    تدخل تكتب ترسل تشارك bagikan memasukkan
"""
"""More verbs of giving, which count only when they are denied."""
NOT_GIVING: Final = "girmeyin girmeyiniz yazmayın yazmayınız paylaşmayın paylaşmayınız vermeyin vermeyiniz"
"""Verbs of giving that deny by themselves."""
ALTERNATIVES: Final = """
    or nor and other others etc oder und andere sowie noch ou et ni autre autres o u y e otra otras otro otros outra
    outras outro outros altre altri of en andere ani lub albo oraz i и или либо або чи й та veya ve atau dan hoặc và
    أو या और
"""
"""A list has one of these somewhere."""
CONTRASTS: Final = """
    but instead rather just only then if when unless once until except
    aber sondern nur wenn falls sonst mais seulement sinon si pero sino solo mas apenas se somente ma maar alleen als
    ale lecz tylko jeśli но а только если але лише якщо ama fakat eğer sadece لكن बल्कि लेकिन nhưng tetapi hanya jika
"""
"""After one of these, another thing is meant than what was denied before."""

ASKING: Final = """
    enter type paste provide give supply input submit tell share send fill need needs require requires
    required please
    what confirm specify copy write put set choose reply respond insert state
    geben gib eingeben angeben nennen tippen eintippen bitte wie lautet brauche benötige
    entrez saisissez saisir indiquez donnez fournissez entrer tapez veuillez quel introduce introduzca
    ingresa ingrese
    escribe escriba proporciona indique digite insira informe forneça inserisci inserire digita fornisci
    indica
    voer vul typ geef podaj wpisz wprowadź girin giriniz yazın введите укажите вставьте напишите сообщите
    отправьте
    введіть вкажіть надішліть أدخل ادخل اكتب أرسل يرجى दर्ज डालें बताएं भेजें masukkan ketik isi nhập
    cung vui zadejte ange indtast skriv syötä introduceți masukan
"""
GENERIC: Final = """
    value answer input text response reply data code digits number key credential field string content
    result it this
    that x entry prompt user your the wert antwort eingabe texto valor respuesta resposta réponse valeur
    entrée
    значение ответ 值 输入 答案 confirmation
"""

RUN_ON_AFTER: Final = """
    长度 長度 名称 名稱 数量 數量 策略 强度 類型 类型 管理 重置 有效期 提示 规则 数 長さ
    ポリシー 名 リセット 変更 화 길이 정책 이름
"""
"""What may follow in the same run of letters, in scripts without spaces, after a linking particle or none."""
RUN_ON_BEFORE: Final = "重置 修改 更改 忘记 忘記 不要 请勿 請勿 无需 変更 リセット 创建 删除 建立 刪除"
RUN_ON_NEGATIONS: Final = "请勿 請勿 切勿 不要 请不要 請不要 禁止"
RUN_ON_NOT_GIVING: Final = """
    入力しない 記入しない 書かない 書き込まない 提供しない 教えない 貼り付けない
    입력하지 적지 제공하지 알려주지 쓰지
"""
RUN_ON_ALTERNATIVES: Final = "或 和 及 以及 等 其他 其它 その他 または や 또는 및 기타"
RUN_ON_ASKING: Final = """
    输入 輸入 填写 填寫 提供 粘贴 入力 教えて 貼り付け 입력 알려 กรอก ป้อน
"""
