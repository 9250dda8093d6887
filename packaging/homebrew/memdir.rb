# Built from source. A release fills in `url` and `sha256`.
class Memdir < Formula
  desc "Long-term memory for coding agents, as plain files"
  homepage "https://github.com/memdir/memdir"
  url "https://github.com/memdir/memdir/archive/refs/tags/v0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license any_of: ["MIT", "Apache-2.0"]
  head "https://github.com/memdir/memdir.git", branch: "main"

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args(path: "crates/cli")
    generate_completions_from_executable(bin/"memdir", "completions")
    (man1/"memdir.1").write Utils.safe_popen_read(bin/"memdir", "man")
  end

  test do
    ENV["HOME"] = testpath
    system bin/"memdir", "remember", "The tests need a database", "--type", "project"
    assert_match "tests need a database", shell_output("#{bin}/memdir recall 'how do I run the tests'")
  end
end
