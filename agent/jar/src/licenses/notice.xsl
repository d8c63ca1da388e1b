<?xml version="1.0" encoding="UTF-8"?>
<!-- Makes META-INF/NOTICE of the agent's jar from the list of what is in it. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:c="http://cyclonedx.org/schema/bom/1.6">
  <xsl:output method="text" encoding="UTF-8"/>

  <xsl:template match="/">
    <xsl:text>Tempolimit
This jar contains parts of these libraries, relocated. Texts of licences: Apache-2.0 in LICENSE, others in licenses/.

</xsl:text>
    <xsl:for-each select="c:bom/c:components/c:component[c:group != 'io.tempolimit']">
      <xsl:sort select="c:group"/>
      <xsl:sort select="c:name"/>
      <xsl:value-of select="concat(c:group, ':', c:name, ':', c:version, '  ')"/>
      <xsl:for-each select="c:licenses/c:license">
        <xsl:if test="position() &gt; 1">, </xsl:if>
        <xsl:value-of select="concat(c:id, c:name)"/>
      </xsl:for-each>
      <xsl:text>&#10;</xsl:text>
    </xsl:for-each>
    <xsl:text>
net.bytebuddy:byte-buddy contains ASM, BSD-3-Clause: licenses/byte-buddy-ASM.
io.netty:netty-common contains JCTools, Apache-2.0.
org.apache.httpcomponents.client5:httpclient5 contains the public suffix list, MPL-2.0 (https://mozilla.org/MPL/2.0/).
Its source is META-INF/tempolimit/org/publicsuffix/list/effective_tld_names.dat, as published at https://publicsuffix.org/list/.
</xsl:text>
  </xsl:template>
</xsl:stylesheet>
