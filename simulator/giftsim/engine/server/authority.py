"""The local authority: the certificates with which a simulator on this machine speaks HTTPS.

It is made once and kept in the user's folder, so that clients are told to trust it once. trustme makes it: the standard
library reads certificates and makes none, and not every machine has the program openssl.
"""

from __future__ import annotations

import os
import re
import socket
import ssl
import tempfile
import warnings
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from giftsim.engine.system import NoHome, state_folder

if TYPE_CHECKING:
    from cryptography.x509 import Certificate
    from trustme import LeafCert

CERTIFICATE, KEY, BUNDLE, TRUSTSTORE = "ca.pem", "ca-key.pem", "bundle.pem", "truststore.p12"
SUBJECT = "OU=local authority of this machine's user,O=giftsim"
BEGIN, END = datetime(2000, 1, 1, tzinfo=UTC), datetime(2038, 1, 1, tzinfo=UTC)
# What the authority may certify: names that no one can register, and addresses of this machine and of private networks.
DOMAINS = ("localhost", "test", "example", "invalid", "internal", "local", "home.arpa")
NETWORKS = (
    "127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16",
    "::1/128", "fc00::/7", "fe80::/10",
)  # fmt: skip
TRUSTSTORE_PASSWORD = "changeit"  # what Java's own truststore has: it protects nothing that is secret
NEEDS_TRUSTME = (
    "certificates need trustme, which is not installed: pip install trustme, or install giftsim with the extra `https`"
)
# Where systems keep the certificates of public authorities, if Python's ssl does not know.
SYSTEM_BUNDLES = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
)


class NoCertificates(Exception):
    """Certificates cannot be made or read; the message says what to do."""


class Authority(NamedTuple):
    """An authority in a folder: `certificate` is the file that clients trust."""

    folder: Path

    @property
    def certificate(self) -> Path:
        """The file with its certificate."""
        return self.folder / CERTIFICATE

    @property
    def bundle(self) -> Path:
        """A file with its certificate and those of the public authorities."""
        return self.folder / BUNDLE

    @property
    def truststore(self) -> Path:
        """The same for Java."""
        return self.folder / TRUSTSTORE

    @property
    def php_settings(self) -> Path:
        """A folder with settings of PHP that name the bundle."""
        return self.folder / "php"

    def context(self, names: Iterable[str]) -> ssl.SSLContext:
        """What a server of these names and addresses needs; its certificate is made now and kept nowhere."""
        context = server_context()
        self._issued(names).configure_cert(context)
        return context

    def pem(self, names: Iterable[str]) -> bytes:
        """A certificate of these names and addresses with its key, as programs such as HAProxy read them."""
        return self._issued(names).private_key_and_cert_chain_pem.bytes()

    def _issued(self, names: Iterable[str]) -> LeafCert:
        import trustme
        from cryptography.x509 import load_pem_x509_certificate

        names = list(dict.fromkeys(names))
        try:
            _check_private(self.folder, self.folder / KEY)
            certificate = self.certificate.read_bytes()
            own = trustme.CA.from_pem(certificate, (self.folder / KEY).read_bytes())
            permitted = _permitted(load_pem_x509_certificate(certificate))
        except (OSError, ValueError) as error:
            raise NoCertificates(
                f"the authority in {self.folder} cannot be read ({error}); delete that folder"
            ) from None
        foreign = next((name for name in names if not _may_certify(permitted, name)), None)
        if foreign is not None:
            raise NoCertificates(
                f"the local authority may not certify {foreign}: it is for names and addresses of this machine and of"
                " private networks"
            )
        return own.issue_cert(*names, not_before=BEGIN, not_after=END)

    def write_bundles(self) -> None:
        """Write the files with all authorities, for clients that take one file in place of their own."""
        everything = [self.certificate.read_text(encoding="ascii"), *_public_authorities()]
        _write(self.bundle, "".join(everything).encode())
        _write(self.truststore, _truststore(everything))
        self.php_settings.mkdir(exist_ok=True)
        file = re.sub(r'(["\\$])', r"\\\1", str(self.bundle))
        settings = f'curl.cainfo="{file}"\nopenssl.cafile="{file}"\n'
        _write(self.php_settings / "giftsim.ini", settings.encode())


def local_authority() -> Authority:
    """The authority of this user, which is made if there is none. NoCertificates."""
    try:
        import trustme  # noqa: F401
    except ModuleNotFoundError:
        raise NoCertificates(NEEDS_TRUSTME) from None
    found = Authority(known_authority())
    if found.certificate.exists():
        return found
    certificate, key = _new_authority([*DOMAINS, socket.gethostname().lower()], NETWORKS)
    try:
        found.folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix="authority-", dir=found.folder.parent))  # for its owner only
        (made / KEY).touch(0o600)
        (made / KEY).write_bytes(key)
        (made / CERTIFICATE).write_bytes(certificate)
        _move(made, found.folder)
    except OSError as error:
        raise NoCertificates(
            f"the local authority cannot be kept in {found.folder}: {error.strerror}; name another folder in"
            " GIFTSIM_STATE"
        ) from None
    return found


def create_run_authority(folder: Path, names: Iterable[str]) -> Authority:
    """A new authority in a private folder that ends with its program; it may certify these names. NoCertificates."""
    try:
        import trustme  # noqa: F401
    except ModuleNotFoundError:
        raise NoCertificates(NEEDS_TRUSTME) from None
    made, hosts, networks = Authority(folder), ["localhost"], list(NETWORKS)
    for name in names:
        try:
            networks.append(str(ip_network(name)))
        except ValueError:
            hosts.append(name.removeprefix("*.").lower())
    certificate, key = _new_authority(hosts, networks)
    (folder / KEY).touch(0o600)
    (folder / KEY).write_bytes(key)
    made.certificate.write_bytes(certificate)
    return made


def _new_authority(hosts: Iterable[str], networks: Iterable[str]) -> tuple[bytes, bytes]:
    """The certificate and the key of a new authority, both in PEM. It may certify these hosts and networks.

    trustme makes authorities that certify any name and end in the year 3000.
    """
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name.from_rfc4514_string(SUBJECT)
    addresses = [x509.IPAddress(ip_network(each)) for each in networks]
    permitted = [*map(x509.DNSName, dict.fromkeys(hosts)), *addresses]
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), BEGIN, END)
    certificate = (
        builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.KeyUsage(True, False, False, False, False, True, True, False, False), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    return certificate.public_bytes(Encoding.PEM), pem


def _permitted(certificate: Certificate) -> Sequence[Any]:
    """The names and networks that an authority may certify. ValueError for one that may certify any."""
    from cryptography.x509 import ExtensionNotFound, NameConstraints

    try:
        found = certificate.extensions.get_extension_for_class(NameConstraints)
    except ExtensionNotFound:
        raise ValueError("an earlier version of giftsim made it, and it may certify any name") from None
    return [each.value for each in found.value.permitted_subtrees or ()]


def _may_certify(permitted: Sequence[Any], name: str) -> bool:
    """Whether a name or an address is one of these, or below one of them."""
    try:
        address = ip_address(name)
    except ValueError:
        host = name.lower()
        return any(isinstance(each, str) and (host == each or host.endswith(f".{each}")) for each in permitted)
    return any(not isinstance(each, str) and address in each for each in permitted)


def _check_private(*paths: Path) -> None:
    """ValueError for a folder or a file that another user can write. On Windows, the user's folder decides."""
    for path in paths:
        if hasattr(os, "getuid") and (path.stat().st_mode & 0o022 or path.stat().st_uid != os.getuid()):
            raise ValueError(f"others can write {path}")


def known_authority() -> Path:
    """The folder in which the authority is or will be. NoCertificates."""
    try:
        return state_folder() / "authority"
    except NoHome:
        raise NoCertificates(
            "the local authority has no folder, because this user has no home: set HOME, or name a folder in"
            " GIFTSIM_STATE"
        ) from None


def client_tls_context(scheme: str) -> ssl.SSLContext | None:
    """What a client on this machine needs to call a simulator: it trusts the local authority too. None for http."""
    if scheme != "https":
        return None
    context = ssl.create_default_context()
    with suppress(OSError, NoCertificates):
        context.load_verify_locations(Authority(known_authority()).certificate)
    return context


def server_context() -> ssl.SSLContext:
    """What every server here has in common; it has no certificate yet."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_alpn_protocols(["http/1.1"])
    return context


def context_of_files(certificate: str, key: str | None) -> ssl.SSLContext:
    """What a server with a certificate of the user needs; the key may be in the same file. NoCertificates."""
    context = server_context()
    try:
        context.load_cert_chain(certificate, key, password=lambda: "")
    except ssl.SSLError as error:
        mismatch = error.reason == "KEY_VALUES_MISMATCH"
        reason = "the key belongs to another certificate" if mismatch else "it takes PEM, and a key without a password"
        raise NoCertificates(f"{certificate} and its key cannot be used: {reason}") from None
    except OSError as error:
        raise NoCertificates(f"{error.filename or certificate}: {error.strerror}") from None
    return context


def _truststore(certificates: Iterable[str]) -> bytes:
    """A truststore of Java. Public authorities whose certificates break today's rules are left out."""
    from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, pkcs12
    from cryptography.x509 import load_pem_x509_certificate

    entries = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for number, pem in enumerate(certificates):
            with suppress(ValueError, Warning):
                certificate = load_pem_x509_certificate(pem.encode())
                entries.append(pkcs12.PKCS12Certificate(certificate, f"authority-{number}".encode()))
    return pkcs12.serialize_java_truststore(entries, BestAvailableEncryption(TRUSTSTORE_PASSWORD.encode()))


def _public_authorities() -> Sequence[str]:
    """The certificates that this system trusts, in PEM."""
    known = [ssl.DER_cert_to_PEM_cert(each) for each in ssl.create_default_context().get_ca_certs(binary_form=True)]
    for path in map(Path, () if known else SYSTEM_BUNDLES):
        if path.is_file():
            text = path.read_text(encoding="ascii", errors="ignore")
            end = "-----END CERTIFICATE-----\n"
            return [part[part.index("-----BEGIN") :] + end for part in text.split(end) if "-----BEGIN" in part]
    return known


def _move(made: Path, folder: Path) -> None:
    """Put a folder in its place, unless another process came first."""
    try:
        made.rename(folder)
    except OSError:
        if not (folder / CERTIFICATE).exists():
            raise
        for file in made.iterdir():
            file.unlink()
        made.rmdir()


def _write(path: Path, content: bytes) -> None:
    """Replace a file at once, so that no client reads a half of it."""
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(content)
    Path(file.name).replace(path)
