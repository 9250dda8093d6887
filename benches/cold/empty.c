/* The empty process: what starting and ending any program costs on this machine. */
int main(void) { return 0; }
